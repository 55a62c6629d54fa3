import type { ReactNode } from 'react'
import styles from './Frame.module.css'

/** A line across the top about the app itself. */
export const Notice = ({ children, isBad = false }: { children: ReactNode; isBad?: boolean }) => (
  <div role="status" className={`${styles.notice} ${isBad ? styles.bad : ''}`}>
    {children}
  </div>
)
