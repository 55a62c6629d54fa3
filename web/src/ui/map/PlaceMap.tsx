import { lazy, Suspense } from 'react'
import { MAP_HEIGHT } from './places.ts'
import type { PlaceMapProps } from './places.ts'
import styles from './map.module.css'

// Leaflet is fetched with the first map that is shown.
const LeafletMap = lazy(() => import('./LeafletMap.tsx'))

/** A map of places: street tiles where there is a network, the outlines of the states in any case. */
export const PlaceMap = (props: PlaceMapProps) => (
  <Suspense fallback={<div className={styles.bones} style={{ height: props.height ?? MAP_HEIGHT }} aria-hidden />}>
    <LeafletMap {...props} />
  </Suspense>
)
