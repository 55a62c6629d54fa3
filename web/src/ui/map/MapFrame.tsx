import { Button } from 'antd'
import type { MapOptions } from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { LeafletContainer, StreetLayer, useMap } from './leafletContext.tsx'
import { lazyPart } from '../lazyPart.tsx'
import { MAP_CENTER, MAP_HEIGHT, MAP_ZOOM } from './places.ts'
import { StatesLayer } from './StatesLayer.tsx'
import { tileSource } from './tile-source.ts'
import { WheelZoom } from './WheelZoom.tsx'
import styles from './map.module.css'

const OPTIONS: MapOptions = {
  center: MAP_CENTER,
  zoom: MAP_ZOOM,
  minZoom: 2,
  maxZoom: 19,
  // What is fitted fills the map: by whole zooms a fleet across the country would be half as large.
  zoomSnap: 0.25,
  // The frame shows the attribution itself, as a link.
  attributionControl: false,
  // `WheelZoom` decides for each turn of the wheel.
  scrollWheelZoom: false,
}

// Few maps are without streets.
const RoadsLayer = lazyPart(() => import('./RoadsLayer.tsx'), { failed: () => null })

interface MapFrameProps {
  /** What the map shows, for those who hear it. */
  label: string
  height?: number | undefined
  /** The layers over the streets. */
  children: ReactNode
  /** What is said of the map's content: over the map, or below it where there is little room. */
  aside?: ReactNode
}

/** A map with nothing on it yet: tiles over the outlines of the states, and the way to make it fill the screen. */
export function MapFrame({ label, height = MAP_HEIGHT, children, aside }: MapFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const tiles = tileSource()
  const [isHinted, showHint] = useShortHint()
  const [isWithoutStreets, setWithoutStreets] = useState(!tiles.url)
  return (
    <div ref={frame} className={styles.frame}>
      <div className={styles.sheet} style={{ height }}>
        <LeafletContainer options={OPTIONS} className={styles.map ?? ''}>
          <Named label={label} />
          <WheelZoom onPassed={showHint} />
          <StatesLayer />
          {isWithoutStreets && <RoadsLayer />}
          {tiles.url && <StreetLayer source={tiles} className={styles.tiles ?? ''} onMissing={setWithoutStreets} />}
          {children}
        </LeafletContainer>
        {isHinted && (
          <p className={styles.hint} role="status">
            {WHEEL_HINT}
          </p>
        )}
        <div className={styles.corner}>
          <FillButton frame={frame} />
        </div>
        {tiles.attribution && !isWithoutStreets && (
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
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}

const WHEEL_HINT = 'Hold Ctrl, or click the map first, to zoom with the wheel.'
const HINT_MS = 1500

/** A hint that goes by itself. */
function useShortHint(): [isShown: boolean, show: () => void] {
  const [shownAt, setShownAt] = useState<number>()
  useEffect(() => {
    if (shownAt === undefined) return
    const timer = setTimeout(() => setShownAt(undefined), HINT_MS)
    return () => clearTimeout(timer)
  }, [shownAt])
  return [shownAt !== undefined, () => setShownAt(Date.now())]
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

/** Makes the map fill the screen: by the browser's own way, or over the page where a browser has none. */
function FillButton({ frame }: { frame: RefObject<HTMLDivElement | null> }) {
  const [full, setFull] = useState(false)
  useEffect(() => {
    const follow = () => setFull(document.fullscreenElement === frame.current)
    document.addEventListener('fullscreenchange', follow)
    return () => document.removeEventListener('fullscreenchange', follow)
  }, [frame])
  const cover = (whole: boolean) => {
    frame.current?.toggleAttribute('data-full', whole)
    setFull(whole)
  }
  useEffect(() => {
    if (!full || document.fullscreenElement) return
    // The browser's own full screen ends with this key by itself.
    const leave = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') cover(false)
    }
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  })
  const toggle = () => {
    const element = frame.current
    if (!element) return
    if (typeof element.requestFullscreen === 'function') {
      void (full ? document.exitFullscreen() : element.requestFullscreen()).catch(() => undefined)
    } else cover(!full)
  }
  return (
    <Button size="small" onClick={toggle} aria-pressed={full}>
      {full ? 'Leave full screen' : 'Full screen'}
    </Button>
  )
}
