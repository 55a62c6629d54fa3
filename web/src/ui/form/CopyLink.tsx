import { Button, Input } from 'antd'
import type { InputRef } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useNotice } from '../notices.tsx'
import styles from './fields.module.css'
import { Row } from '../layout.tsx'

interface CopyLinkProps {
  url: string
  /** What the link is, for those who hear it. */
  label: string
  /** What is copied, where it is no link. */
  noun?: string
  /** Further ways to use it. */
  children?: ReactNode
}

/** A link to take along. */
export function CopyLink({ url, label, noun = 'link', children }: CopyLinkProps) {
  const field = useRef<InputRef>(null)
  const notice = useNotice()
  const copy = async () => {
    field.current?.select()
    try {
      await navigator.clipboard.writeText(url)
      notice(`The ${noun} is copied.`)
    } catch {
      // Browsers keep the clipboard from pages without TLS; what is chosen can still be copied by hand.
      notice(`The ${noun} is selected: copy it.`, 'bad')
    }
  }
  return (
    <Row gap={2} wrap className={styles.copy}>
      <Input ref={field} readOnly value={url} aria-label={label} onFocus={({ target }) => target.select()} />
      <Button onClick={() => void copy()}>Copy</Button>
      {children}
    </Row>
  )
}
