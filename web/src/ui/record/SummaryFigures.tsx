import type { ReactNode } from 'react'
import styles from './SummaryFigures.module.css'

interface SummaryFiguresProps {
  label: string
  /** Each thing with its word, the most important first; empty values are left out. */
  figures: readonly (readonly [word: string, value: ReactNode])[]
}

/** What a record is about at first sight: a row of words with their values. */
export const SummaryFigures = ({ label, figures }: SummaryFiguresProps) => (
  <dl aria-label={label} className={`figures ${styles.figures}`}>
    {figures
      .filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([word, value]) => (
        <div key={word}>
          <dt>{word}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
