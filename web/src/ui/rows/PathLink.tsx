import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface PathLinkProps {
  /** A path of the console with its query, as the server gives it. */
  path: string
  onClick?: () => void
  /** Before the screen changes in this tab. */
  onOpen?: (() => void) | undefined
  children: ReactNode
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !(metaKey || ctrlKey || shiftKey || altKey)

/** A link to a path that the server gives. */
export function PathLink({ path, onClick, onOpen, children }: PathLinkProps) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    onClick?.()
    // A click with a key opens a tab of its own, which the browser does by itself.
    if (!isPlainClick(event)) return
    event.preventDefault()
    onOpen?.()
    router.history.push(path)
  }
  return (
    <a href={path} onClick={open}>
      {children}
    </a>
  )
}
