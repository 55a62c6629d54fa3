import { MAP_HEIGHT } from './places.ts'
import type { SpotMapProps } from './spots.ts'
import styles from './map.module.css'
import { lazyPart } from '../lazyPart.tsx'

const LeafletSpots = lazyPart(() => import('./LeafletSpots.tsx'), {
  waiting: ({ height = MAP_HEIGHT }) => <div className={styles.bones} style={{ height }} aria-hidden />,
})

/** A map of what moves: thousands of spots on one canvas, gathered where they are too close. */
export const SpotMap = (props: SpotMapProps) => <LeafletSpots {...props} />
