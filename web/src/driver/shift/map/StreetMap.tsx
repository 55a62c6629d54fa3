import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { useEffect, useRef } from 'react'
import { addCredit, bindTextTooltip, styledIcon } from '../../../ui/map/mapText.ts'
import type { TileSource } from '../../../ui/map/tile-source.ts'
import { streetLayer } from '../../../ui/map/tiles.ts'
import type { ShiftPlace } from './places.ts'
import styles from './map.module.css'

interface StreetMapProps {
  source: TileSource
  places: readonly ShiftPlace[]
  label: string
}

const CLOSEST_ZOOM = 15

/** The streets around the places, each with its name. */
export default function StreetMap({ source, places, label }: StreetMapProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!container.current) return
    // One finger scrolls the page, two move the map.
    const map = L.map(container.current, { attributionControl: false, dragging: !L.Browser.mobile, maxZoom: 18 })
    let isShown = true
    const bounds = L.latLngBounds(places.map(({ latitude, longitude }) => [latitude, longitude]))
    map.fitBounds(bounds, { maxZoom: CLOSEST_ZOOM, padding: [32, 32], animate: false })
    for (const place of places) addPlace(map, place)
    if (source.attribution)
      addCredit(map, { text: source.attribution, href: 'https://www.openstreetmap.org/copyright' })
    void Promise.resolve(streetLayer(source, { className: styles.tiles ?? '' })).then(
      (streets) => isShown && streets.addTo(map),
      () => undefined,
    )
    return () => {
      isShown = false
      map.remove()
    }
  }, [source, places])
  return <div ref={container} className={styles.map} role="application" aria-label={label} />
}

function addPlace(map: L.Map, { name, latitude, longitude, radiusM }: ShiftPlace): void {
  const at: L.LatLngTuple = [latitude, longitude]
  const icon = styledIcon({ className: styles.pin ?? '', iconSize: [24, 24], iconAnchor: [12, 24] })
  if (radiusM) L.circle(at, { radius: radiusM, className: styles.zone ?? '', interactive: false }).addTo(map)
  const marker = L.marker(at, { icon, keyboard: false, interactive: false, alt: name }).addTo(map)
  bindTextTooltip(marker, name, { permanent: true, direction: 'bottom', offset: [0, 4] })
}
