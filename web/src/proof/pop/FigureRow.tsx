import type { ReactNode } from 'react'
import styles from './FigureRow.module.css'

/** The great numbers in a row: each with its word below. */
export const FigureRow = ({ figures }: { figures: readonly (readonly [word: string, figure: ReactNode])[] }) => (
  <dl className={styles.figures}>
    {figures.map(([word, figure]) => (
      <div key={word}>
        <dt>{word}</dt>
        <dd>{figure}</dd>
      </div>
    ))}
  </dl>
)
