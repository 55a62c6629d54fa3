import type { ReactNode } from 'react'
import { Row, Soft } from '../../ui/layout.tsx'
import styles from './pop.module.css'

/** The great numbers in a row: each with its word below. */
export const FigureRow = ({ figures }: { figures: readonly (readonly [word: string, figure: ReactNode])[] }) => (
  <Row as="dl" gap={6} lineGap={2} wrap className={styles.figures}>
    {figures.map(([word, figure]) => (
      <div key={word}>
        <Soft as="dt" small>
          {word}
        </Soft>
        <dd>{figure}</dd>
      </div>
    ))}
  </Row>
)
