import type { ReactNode } from 'react'
import styles from './SummaryFigures.module.css'

/** What a record is about at first sight: a row of words with their values, the most important first. */
export const SummaryFigures = ({ children }: { children: ReactNode }) => (
  <dl aria-label="Figures" className={`figures ${styles.figures}`}>
    {children}
  </dl>
)

/** One of them; nothing without a value. */
export const SummaryFigure = ({ word, children }: { word: string; children: ReactNode }) =>
  children !== undefined &&
  children !== null &&
  children !== '' && (
    <div>
      <dt>{word}</dt>
      <dd>{children}</dd>
    </div>
  )
