import { Button } from 'antd'
import type { ReactNode } from 'react'
import styles from './BulkBar.module.css'

interface BulkBarProps {
  /** What is selected: `Selected photos`. */
  label: string
  /** How much of it: `3 photos`. */
  count: string
  /** The acts. */
  children: ReactNode
  /** Further ways to select, beside that to none. */
  more?: ReactNode
  onNone: () => void
}

/** What can be done with the selected rows; it stays in sight below them. */
export const BulkBar = ({ label, count, children, more, onNone }: BulkBarProps) => (
  <div role="toolbar" aria-label={label} className={styles.bulk}>
    <strong className="figures">{count} selected</strong>
    {children}
    <span className={styles.apart}>
      {more}
      <Button size="small" type="text" onClick={onNone}>
        Clear selection
      </Button>
    </span>
  </div>
)
