import type { ReactNode } from 'react'
import { SkeletonLine } from '../../ui/states.tsx'
import { isHollow } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import styles from './FigureStrip.module.css'

interface Figure {
  word: string
  /** Undefined while it is on its way. */
  figure: ReactNode
  /** Small, below: its share, for one. */
  more?: string | undefined
  tone?: Tone | undefined
}

/** The great numbers of a report, each with its word. */
export const FigureStrip = ({ label, figures }: { label: string; figures: readonly Figure[] }) => (
  <dl className={styles.strip} aria-label={label}>
    {figures.map(({ word, figure, more, tone }) => (
      <div key={word}>
        <dt>
          {tone && (
            <span className={styles.dot} data-hollow={isHollow(tone)} style={{ color: `var(--${tone})` }} aria-hidden />
          )}
          {word}
        </dt>
        <dd>
          {figure === undefined ? <SkeletonLine /> : figure} {more && <small>{more}</small>}
        </dd>
      </div>
    ))}
  </dl>
)
