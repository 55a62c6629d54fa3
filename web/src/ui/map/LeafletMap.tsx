import { Button } from 'antd'
import 'leaflet/dist/leaflet.css'
import { useEffect, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { MapContainer, TileLayer, useMap, useMapEvents } from 'react-leaflet'
import { OutlineLayer } from './OutlineLayer.tsx'
import { PlacesLayer } from './PlacesLayer.tsx'
import { CENTRE, HEIGHT, ZOOM } from './places.ts'
import type { PlaceMapProps } from './places.ts'
import { StatesLayer } from './StatesLayer.tsx'
import { tileSource } from './tiles.ts'
import styles from './map.module.css'

export default function LeafletMap({ label, height = HEIGHT, outline, onOutline, onClick, ...places }: PlaceMapProps) {
  const frame = useRef<HTMLDivElement>(null)
  const tiles = tileSource()
  return (
    <div ref={frame} className={styles.frame} style={{ height }}>
      <MapContainer
        center={CENTRE}
        zoom={ZOOM}
        minZoom={2}
        maxZoom={19}
        attributionControl={false}
        className={styles.map ?? ''}
      >
        <Named label={label} />
        <StatesLayer />
        {tiles.url && <TileLayer url={tiles.url} referrerPolicy="strict-origin" className={styles.tiles ?? ''} />}
        <OutlineLayer outline={outline ?? null} onChange={onOutline} />
        <PlacesLayer {...places} outline={outline ?? null} />
        {onClick && <Clicks onClick={onClick} />}
      </MapContainer>
      <div className={styles.corner}>
        <FillButton frame={frame} />
      </div>
      {tiles.attribution && (
        <a
          className={styles.attribution}
          href="https://www.openstreetmap.org/copyright"
          target="_blank"
          rel="noreferrer"
        >
          {tiles.attribution}
        </a>
      )}
    </div>
  )
}

/** Names the map, which is moved by the arrow keys, and lets it follow the size of its frame. */
function Named({ label }: { label: string }) {
  const map = useMap()
  useEffect(() => {
    const container = map.getContainer()
    container.setAttribute('role', 'application')
    container.setAttribute('aria-label', label)
    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }))
    observer.observe(container)
    return () => observer.disconnect()
  }, [map, label])
  return null
}

function Clicks({ onClick }: { onClick: NonNullable<PlaceMapProps['onClick']> }) {
  useMapEvents({ click: ({ latlng }) => onClick({ latitude: latlng.lat, longitude: latlng.wrap().lng }) })
  return null
}

/** Makes the map fill the screen: by the browser's own way, or over the page where a browser has none. */
function FillButton({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement === frame.current)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [frame])
  const toggle = () => {
    const element = frame.current
    if (!element) return
    if (typeof element.requestFullscreen === 'function') {
      void (full ? document.exitFullscreen() : element.requestFullscreen()).catch(() => undefined)
    } else {
      element.toggleAttribute('data-full', !full)
      setFull(!full)
    }
  }
  return (
    <Button size="small" disabled={false} onClick={toggle} aria-pressed={full}>
      {full ? 'Leave full screen' : 'Full screen'}
    </Button>
  )
}
