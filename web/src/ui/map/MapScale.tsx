import { METERS_PER_FOOT, formatRadius, toMeters } from '@roadshow/contract/platform/distance'
import type L from 'leaflet'
import { useState } from 'react'
import { useMap, useMapEvents } from './leafletContext.tsx'
import styles from './map.module.css'

const LENGTHS = [
  ...[50, 100, 200, 500].map((feet) => feet * METERS_PER_FOOT),
  ...[0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map(toMeters),
]
const MOST_PX = 90

/** The longest round distance that fits, and how long it is drawn across the middle of the map. */
export function scaleOf(metersPerPixel: number): { meters: number; width: number } {
  const meters = LENGTHS.findLast((length) => length / metersPerPixel <= MOST_PX) ?? LENGTHS[0] ?? 0
  return { meters, width: Math.round(meters / metersPerPixel) }
}

function metersPerPixel(map: L.Map): number {
  const middle = map.getSize().y / 2
  return map.distance(map.containerPointToLatLng([0, middle]), map.containerPointToLatLng([100, middle])) / 100
}

/** How far a distance is on the map. */
export function MapScale() {
  const map = useMap()
  const [scale, setScale] = useState(() => metersPerPixel(map))
  useMapEvents({ moveend: () => setScale(metersPerPixel(map)), resize: () => setScale(metersPerPixel(map)) })
  const { meters, width } = scaleOf(scale)
  return (
    <span className={styles.scale} style={{ width }}>
      {formatRadius(meters)}
    </span>
  )
}
