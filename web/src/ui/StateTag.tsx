import type { ColourName } from '../brand/colours.ts'
import styles from './StateTag.module.css'

/** What a state means to the reader. Each has one colour, the same on every screen. */
export type Tone = Extract<ColourName, 'driving' | 'parked' | 'silent' | 'warn' | 'bad' | 'off-shift'>

/** A state: its word, with its colour beside it. Silence is hollow, so that it reads without the colour too. */
export const StateTag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={styles.state}>
    <span className={styles.mark} data-hollow={tone === 'silent'} style={{ color: `var(--${tone})` }} aria-hidden />
    {children}
  </span>
)
