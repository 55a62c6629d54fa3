import { MAP_HEIGHT } from './places.ts'
import type { PlaceMapProps } from './places.ts'
import styles from './map.module.css'
import { lazyPart } from '../lazyPart.tsx'

// Leaflet is fetched with the first map that is shown.
const LeafletMap = lazyPart(() => import('./LeafletMap.tsx'), {
  waiting: ({ height = MAP_HEIGHT }) => <div className={styles.bones} style={{ height }} aria-hidden />,
})

/** A map of places: street tiles where there is a network, the outlines of the states in any case. */
export const PlaceMap = (props: PlaceMapProps) => <LeafletMap {...props} />
