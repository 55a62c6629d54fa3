import { lazy, Suspense } from 'react'
import { HEIGHT } from '../../ui/map/places.ts'
import type { ReachMapProps } from './reach.ts'
import styles from './reports.module.css'

// Leaflet is fetched with the first map that is shown.
const LeafletReach = lazy(() => import('./LeafletReach.tsx'))

/** A map of addresses as circles, and of the ways that trucks took past them. */
export const ReachMap = (props: ReachMapProps) => (
  <Suspense fallback={<div className={styles.bones} style={{ height: HEIGHT }} aria-hidden />}>
    <LeafletReach {...props} />
  </Suspense>
)
