import L from 'leaflet'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useMap } from '../../../ui/map/leafletContext.tsx'
import { colorIn } from '../../../brand/colors.ts'
import type { ColorName } from '../../../brand/colors.ts'
import { currentColor } from '../../../ui/map/currentColor.ts'
import { MapFrame } from '../../../ui/map/MapFrame.tsx'
import { bindTextTooltip } from '../../../ui/map/mapText.ts'
import { useScheme } from '../../../ui/theme.tsx'
import type { ApproachCircle, ApproachMapProps, TrackLine } from './approachMap.ts'

// The controls at the top and on the left would cover a circle.
const FIT: L.FitBoundsOptions = { maxZoom: 15, paddingTopLeft: [56, 44], paddingBottomRight: [24, 24], animate: false }

export default function LeafletApproachMap({ label, ...layers }: ApproachMapProps) {
  return (
    <MapFrame label={label}>
      <ApproachLayers {...layers} />
    </MapFrame>
  )
}

const NONE: NonNullable<ApproachMapProps['lines']> = []
const at = ({ latitude, longitude }: ApproachCircle): L.LatLngTuple => [latitude, longitude]

/** Reads CSS colors, each once: every read makes the browser lay out the page. */
function colorReader(element: HTMLElement) {
  const known = new Map<ColorName, string>()
  return (tone: ColorName) => {
    const color = known.get(tone) ?? currentColor(element, tone)
    known.set(tone, color)
    return color
  }
}

interface DrawOptions {
  group: L.LayerGroup
  renderer: L.Renderer
  color: string
  onClick: () => void
}

interface CircleOptions extends DrawOptions {
  isChosen: boolean
  paper: string
}

function drawCircle(circle: ApproachCircle, { group, renderer, color, onClick, isChosen, paper }: CircleOptions) {
  if (circle.radiusM) {
    const area = { color, weight: 1, fillOpacity: 0.06, interactive: false, renderer }
    L.circle(at(circle), { ...area, radius: circle.radiusM }).addTo(group)
  }
  const look = circle.isHollow
    ? { color, weight: 2, fillOpacity: 0 }
    : { color: isChosen ? color : paper, weight: isChosen ? 3 : 1, fillOpacity: 0.7 }
  const options = { renderer, radius: circle.size, bubblingMouseEvents: false, fillColor: color, ...look }
  bindTextTooltip(L.circleMarker(at(circle), options), circle.name)
    .on('click', onClick)
    .addTo(group)
}

interface LineOptions extends DrawOptions {
  look: { weight: number; opacity: number }
}

const drawLine = ({ points }: TrackLine, { group, renderer, color, onClick, look }: LineOptions) =>
  L.polyline(
    points.map(([latitude, longitude]): L.LatLngTuple => [latitude, longitude]),
    { renderer, color, bubblingMouseEvents: false, ...look },
  )
    .on('click', onClick)
    .addTo(group)

function ApproachLayers({ circles, lines = NONE, chosen, onChoose }: Omit<ApproachMapProps, 'label'>) {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  const renderer = useMemo(() => L.canvas({ padding: 0.3 }), [])
  const choose = useEffectEvent((id: string) => onChoose?.(id))

  useEffect(() => {
    const group = L.layerGroup().addTo(map)
    const colorOf = colorReader(map.getContainer())
    for (const circle of circles) {
      const onClick = () => choose(circle.id)
      const isChosen = circle.id === chosen
      drawCircle(circle, { group, renderer, color: colorOf(circle.tone), onClick, isChosen, paper })
    }
    // The chosen line lies over the others, which fade.
    const hasChosen = lines.some(({ id }) => id === chosen)
    for (const line of lines.toSorted((one, other) => +(one.id === chosen) - +(other.id === chosen))) {
      const isChosen = line.id === chosen
      const look = { weight: isChosen ? 5 : 3, opacity: hasChosen && !isChosen ? 0.35 : 0.9 }
      drawLine(line, { group, renderer, color: colorOf(line.tone), onClick: () => choose(line.id), look })
    }
    return () => void group.remove()
    // Colors and paper change between light and dark.
  }, [map, renderer, circles, lines, chosen, paper])

  useFit(circles, lines)
  return null
}

/** Fits the reached addresses, or else all of them, once; after that the map stays where the user moved it. */
function useFit(circles: readonly ApproachCircle[], lines: NonNullable<ApproachMapProps['lines']>) {
  const map = useMap()
  const isFitted = useRef(false)
  useEffect(() => {
    const ways = lines.flatMap(({ points }) => points.map(([lat, lng]): L.LatLngTuple => [lat, lng]))
    const reached = circles.filter((circle) => !circle.isHollow)
    const shown = reached.length > 0 ? reached : circles
    const points = [...shown.map(at), ...ways]
    if (isFitted.current || points.length === 0) return
    isFitted.current = true
    const bounds = L.latLngBounds(points)
    for (const { latitude, longitude, radiusM } of shown) {
      if (radiusM) bounds.extend(L.latLng(latitude, longitude).toBounds(radiusM * 2))
    }
    map.fitBounds(bounds, FIT)
  }, [map, circles, lines])
}
