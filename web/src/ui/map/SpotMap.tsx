import { lazy, Suspense } from 'react'
import { MAP_HEIGHT } from './places.ts'
import type { SpotMapProps } from './spots.ts'
import styles from './map.module.css'

const LeafletSpots = lazy(() => import('./LeafletSpots.tsx'))

/** A map of what moves: thousands of spots on one canvas, gathered where they are too close. */
export const SpotMap = (props: SpotMapProps) => (
  <Suspense fallback={<div className={styles.bones} style={{ height: props.height ?? MAP_HEIGHT }} aria-hidden />}>
    <LeafletSpots {...props} />
  </Suspense>
)
