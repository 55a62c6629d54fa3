import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { CopyLink } from './CopyLink.tsx'
import styles from '../details.module.css'
import { Row } from '../layout.tsx'

interface ShownOnceProps {
  secret: string
  /** What it is, such as `Signing secret`. */
  label: string
  /** The same in a sentence. */
  noun: string
  /** What it is good for, after the sentence that it is shown only once. */
  use: string
  onDone: () => void
  /** Whether leaving is the next step, because the children offer none. */
  isLast?: boolean
  children: ReactNode
}

/** A secret that was just made, to copy this once, and what to do with it. */
export const ShownOnce = ({ secret, label, noun, use, onDone, isLast = false, children }: ShownOnceProps) => (
  <>
    <Alert
      type="warning"
      role="alert"
      showIcon
      title={`Copy the ${noun} now`}
      description={`It is shown only once. ${use}`}
    />
    <div className={styles.secret}>
      <CopyLink url={secret} label={label} noun={noun} />
    </div>
    {children}
    <Row as="footer" right className={styles.end}>
      <Button type={isLast ? 'primary' : 'default'} onClick={onDone}>
        Done
      </Button>
    </Row>
  </>
)
