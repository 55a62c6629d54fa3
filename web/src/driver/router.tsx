import { DRIVER_PATH } from '@roadshow/contract/platform/constants'
import { useSyncExternalStore } from 'react'
import type { ComponentProps, MouseEvent } from 'react'

// Pages of the app, by their paths below /driver. One document serves them all.

const MOVED = 'driver:moved'

const subscribe = (listener: () => void) => {
  addEventListener('popstate', listener)
  addEventListener(MOVED, listener)
  return () => {
    removeEventListener('popstate', listener)
    removeEventListener(MOVED, listener)
  }
}

const readPath = () => location.pathname.slice(DRIVER_PATH.length).replace(/\/+$/, '') || '/'

/** The page that is open: `/`, `/queue`, `/shifts/…`. */
export const usePath = (): string => useSyncExternalStore(subscribe, readPath)

const addressOf = (path: string): string => (path === '/' ? DRIVER_PATH : `${DRIVER_PATH}${path}`)

/** Opens a page of the app. `replace` leaves no way back to the one before. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', addressOf(path))
  else history.pushState({ isOurs: true }, '', addressOf(path))
  dispatchEvent(new Event(MOVED))
  scrollTo(0, 0)
}

/** Goes back to the page before, or up if the app was opened here. */
export function goBack(up: string): void {
  if ((history.state as { isOurs?: true } | null)?.isOurs) history.back()
  else navigate(up, { replace: true })
}

/** The values of a path such as `/shifts/:uid`; undefined if it is another page. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const names = pattern.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = parts[index] ?? ''
    if (name.startsWith(':')) values[name.slice(1)] = part
    else if (name !== part) return undefined
  }
  return values
}

/** A link to a page of the app. */
export function Link({ to, children, ...rest }: ComponentProps<'a'> & { to: string }) {
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!isPlain) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={addressOf(to)} onClick={open}>
      {children}
    </a>
  )
}
