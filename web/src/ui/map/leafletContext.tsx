import L from 'leaflet'
import { createContext, use, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import type { TileSource } from './tile-source.ts'
import { streetLayer } from './tiles.ts'

const MapContext = createContext<L.Map | undefined>(undefined)

interface LeafletContainerProps {
  /** Read once, when the map is created. */
  options: L.MapOptions
  className: string
  /** The layers: components that add themselves to the map of `useMap` and draw nothing in React. */
  children: ReactNode
}

/** A Leaflet map that lives as long as its component. */
export function LeafletContainer({ options, className, children }: LeafletContainerProps) {
  const container = useRef<HTMLDivElement>(null)
  const [initialOptions] = useState(options)
  const [map, setMap] = useState<L.Map>()
  // Not a layout effect: React undoes those of a screen that it only hides while the next one loads.
  useEffect(() => {
    if (!container.current) return
    const created = L.map(container.current, initialOptions)
    setMap(created)
    return () => {
      setMap(undefined)
      created.remove()
    }
  }, [initialOptions])
  return (
    <div ref={container} className={className}>
      {map && <MapContext value={map}>{children}</MapContext>}
    </div>
  )
}

/** The map around a layer. */
export function useMap(): L.Map {
  const map = use(MapContext)
  if (!map) throw new Error('A map layer is used outside of a map.')
  return map
}

/** Listens to the map while the layer is mounted. */
export function useMapEvents(handlers: L.LeafletEventHandlerFnMap): void {
  const map = useMap()
  useEffect(() => {
    map.on(handlers)
    return () => void map.off(handlers)
  }, [map, handlers])
}

interface StreetLayerProps {
  source: TileSource
  className: string
  /** Whether there are no streets to see: none could be loaded, so far. */
  onMissing: (isMissing: boolean) => void
}

/** The streets, below everything else on the map. */
export function StreetLayer({ source, className, onMissing }: StreetLayerProps) {
  const map = useMap()
  const [initialSource] = useState(source)
  const say = useEffectEvent(onMissing)
  useEffect(() => {
    let isWanted = true
    let added: L.GridLayer | undefined
    let hasStreets = false
    const add = (layer: L.GridLayer) => {
      if (!isWanted) return
      layer.on('tileload', () => {
        if (!hasStreets) say(false)
        hasStreets = true
      })
      layer.on('tileerror', () => hasStreets || say(true))
      added = layer.addTo(map)
    }
    const layer = streetLayer(initialSource, { className })
    if (layer instanceof Promise) void layer.then(add, () => isWanted && say(true))
    else add(layer)
    return () => {
      isWanted = false
      added?.remove()
    }
  }, [map, initialSource, className])
  return null
}
