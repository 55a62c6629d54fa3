import { formatCount } from '@roadshow/contract/platform/figures'
import { METERS_PER_FOOT } from '@roadshow/contract/platform/distance'
import { Soft } from '../../ui/layout.tsx'
import { useWords } from '../context.ts'
import type { PositionWatch } from './usePositionWatch.ts'
import styles from './CameraPage.module.css'

/** Whether photos get a place now, and how exact it is. */
export function PlaceLine({ watch: { state, accuracyM } }: { watch: PositionWatch }) {
  const words = useWords()
  if (state === 'known' && accuracyM !== null) {
    const feet = formatCount(Math.max(1, Math.round(accuracyM / METERS_PER_FOOT)))
    return <Soft as="p">{words.placeKnown(feet)}</Soft>
  }
  if (state === 'searching') return <Soft as="p">{words.placeSearching}</Soft>
  return <p className={styles.warn}>{state === 'refused' ? words.placeRefused : words.placeUnknown}</p>
}
