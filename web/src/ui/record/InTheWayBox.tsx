import type { ReactNode } from 'react'
import { Row } from '../layout.tsx'
import styles from './SummaryFigures.module.css'

/** What refuses something, in words, and the acts that take it out of the way. */
export const InTheWayBox = ({ words, children }: { words: string; children: ReactNode }) => (
  <Row as="section" gap={2} align="center" wrap className={styles.way} aria-label="In the way">
    <strong>{words}:</strong>
    {children}
  </Row>
)
