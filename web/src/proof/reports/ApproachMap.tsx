import { lazy, Suspense } from 'react'
import { MAP_HEIGHT } from '../../ui/map/places.ts'
import type { ApproachMapProps } from './approachMap.ts'
import styles from './reports.module.css'

// Leaflet is fetched with the first map that is shown.
const LeafletReach = lazy(() => import('./LeafletApproachMap.tsx'))

/** A map of addresses as circles, and of the ways that trucks took past them. */
export const ApproachMap = (props: ApproachMapProps) => (
  <Suspense fallback={<div className={styles.bones} style={{ height: MAP_HEIGHT }} aria-hidden />}>
    <LeafletReach {...props} />
  </Suspense>
)
