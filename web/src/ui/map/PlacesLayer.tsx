import type { Outline } from '@roadshow/contract/platform/geo'
import L from 'leaflet'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useMap } from './leafletContext.tsx'
import { colorIn } from '../../brand/colors.ts'
import type { ColorName } from '../../brand/colors.ts'
import { useScheme } from '../theme.tsx'
import { currentColor } from './currentColor.ts'
import { bindTextTooltip, styledIcon } from './mapText.ts'
import type { MapPlace, PlaceMapProps } from './places.ts'
import styles from './map.module.css'

type Props = Pick<PlaceMapProps, 'places' | 'selected' | 'onSelect' | 'onMove'> & { outline: Outline | null }

const at = ({ latitude, longitude }: MapPlace): L.LatLngTuple => [latitude, longitude]

/** The places, on one canvas however many they are; the chosen one is a pin that can be focused and dragged. */
export function PlacesLayer({ places, selected, onSelect, onMove, outline }: Props) {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  const canvas = useMemo(() => L.canvas({ padding: 0.3 }), [])
  const choose = useEffectEvent((id: string) => onSelect?.(id))
  const move = useEffectEvent((id: string, { lat, lng }: L.LatLng) => onMove?.(id, { latitude: lat, longitude: lng }))
  const isMovable = onMove !== undefined
  // Drawing thousands must not hold up the typing that changes one of them.
  const drawn = useDeferredValue(places)

  useEffect(() => {
    const group = L.layerGroup().addTo(map)
    // Asking for a color makes the browser lay out the page: once per tone, not per place.
    const colors = new Map<ColorName, string>()
    for (const place of drawn) {
      const tone = place.tone ?? 'amber'
      const color = colors.get(tone) ?? currentColor(map.getContainer(), tone)
      colors.set(tone, color)
      const look = { color, renderer: canvas, weight: 1 }
      if (place.radiusM) {
        L.circle(at(place), { ...look, radius: place.radiusM, fillOpacity: 0.08, interactive: false }).addTo(group)
      }
      const marker = L.circleMarker(at(place), {
        ...look,
        color: paper,
        fillColor: color,
        radius: 5,
        fillOpacity: 0.9,
        bubblingMouseEvents: false,
      })
      bindTextTooltip(marker, place.name)
        .on('click', () => choose(place.id))
        .addTo(group)
    }
    return () => void group.remove()
    // With light and dark the paper changes, and so do the colors.
  }, [map, canvas, drawn, paper])

  const chosen = places.find(({ id }) => id === selected)
  useEffect(() => {
    if (!chosen) return
    const icon = styledIcon({ className: styles.pin ?? '', iconSize: [24, 24], iconAnchor: [12, 24] })
    const marker = L.marker(at(chosen), { icon, draggable: isMovable, alt: chosen.name, title: chosen.name })
    marker.on('dragend', () => move(chosen.id, marker.getLatLng())).addTo(map)
    if (!map.getBounds().contains(at(chosen))) map.panTo(at(chosen), { animate: false })
    return () => void marker.remove()
  }, [map, chosen, isMovable])

  useFit(drawn, outline)
  return null
}

/** Shows everything once there is something; from then on the map stays where the user has put it. */
function useFit(places: readonly MapPlace[], outline: Outline | null) {
  const map = useMap()
  const isFitted = useRef(false)
  const isOpening = useRef(true)
  useEffect(() => {
    const points = [...places.map(at), ...(outline ?? []).map(([lng, lat]): L.LatLngTuple => [lat, lng])]
    // An outline that is being drawn must not run away under the pointer.
    const isDrawing = !isOpening.current && places.length === 0
    isOpening.current = false
    if (isFitted.current || isDrawing || points.length === 0) return
    isFitted.current = true
    const bounds = L.latLngBounds(points)
    for (const place of places) {
      if (place.radiusM) bounds.extend(L.latLng(at(place)).toBounds(place.radiusM * 2))
    }
    // Along the top and on the left stand the controls, which would cover a pin.
    map.fitBounds(bounds, { maxZoom: 13, paddingTopLeft: [48, 44], paddingBottomRight: [16, 24], animate: false })
  }, [map, places, outline])
}
