import type { ColorName } from '../../brand/colors.ts'
import { Row } from '../layout.tsx'
import styles from './StateTag.module.css'

/** What a state means to the reader. Each has one color, the same on every screen. */
export type Tone = Extract<ColorName, 'driving' | 'parked' | 'silent' | 'playing-silent' | 'warn' | 'bad' | 'off-shift'>

/** Silence is hollow, so that it reads without its color too. */
export const isHollow = (tone: Tone) => tone === 'silent' || tone === 'playing-silent'

/** A state: its word, with its color beside it. */
export const StateTag = ({ tone, children }: { tone: Tone; children: string }) => (
  <Row as="span" gap={2} align="center" inline>
    <span className={styles.mark} data-hollow={isHollow(tone)} style={{ color: `var(--${tone})` }} aria-hidden />
    {children}
  </Row>
)
