import { MAP_HEIGHT } from '../../../ui/map/places.ts'
import type { ApproachMapProps } from './approachMap.ts'
import styles from '../reports.module.css'
import { lazyPart } from '../../../ui/lazyPart.tsx'

// Leaflet is fetched with the first map that is shown.
const LeafletReach = lazyPart(() => import('./LeafletApproachMap.tsx'), {
  waiting: () => <div className={styles.bones} style={{ height: MAP_HEIGHT }} aria-hidden />,
})

/** A map of addresses as circles, and of the ways that trucks took past them. */
export const ApproachMap = (props: ApproachMapProps) => <LeafletReach {...props} />
