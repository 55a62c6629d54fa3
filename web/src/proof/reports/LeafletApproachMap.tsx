import { theme } from 'antd'
import L from 'leaflet'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { useMap } from '../../ui/map/leafletContext.tsx'
import type { ColourName } from '../../brand/colours.ts'
import { colourNow } from '../../ui/map/colourNow.ts'
import { MapFrame } from '../../ui/map/MapFrame.tsx'
import type { ApproachCircle, ApproachMapProps } from './approachMap.ts'

// Along the top and on the left stand the controls, which would cover a circle.
const FIT: L.FitBoundsOptions = { maxZoom: 15, paddingTopLeft: [56, 44], paddingBottomRight: [24, 24], animate: false }

export default function LeafletApproachMap({ label, ...reach }: ApproachMapProps) {
  return (
    <MapFrame label={label}>
      <Reach {...reach} />
    </MapFrame>
  )
}

const NONE: NonNullable<ApproachMapProps['lines']> = []
const at = ({ latitude, longitude }: ApproachCircle): L.LatLngTuple => [latitude, longitude]

function Reach({ circles, lines = NONE, chosen, onChoose }: Omit<ApproachMapProps, 'label'>) {
  const map = useMap()
  const { colorBgContainer: paper } = theme.useToken().token
  const canvas = useMemo(() => L.canvas({ padding: 0.3 }), [])
  const choose = useEffectEvent((id: string) => onChoose?.(id))

  useEffect(() => {
    const group = L.layerGroup().addTo(map)
    const known = new Map<ColourName, string>()
    // Asking for a colour makes the browser lay out the page: once per tone, not per circle.
    const colourOf = (tone: ColourName) => {
      const colour = known.get(tone) ?? colourNow(map.getContainer(), tone)
      known.set(tone, colour)
      return colour
    }
    for (const circle of circles) {
      const colour = colourOf(circle.tone)
      if (circle.radiusM) {
        const reach = { color: colour, weight: 1, fillOpacity: 0.06, interactive: false, renderer: canvas }
        L.circle(at(circle), { ...reach, radius: circle.radiusM }).addTo(group)
      }
      L.circleMarker(at(circle), {
        renderer: canvas,
        radius: circle.size,
        bubblingMouseEvents: false,
        fillColor: colour,
        ...(circle.isHollow
          ? {
              color: colour,
              weight: 2,
              fillOpacity: 0,
            }
          : {
              color: circle.id === chosen ? colour : paper,
              weight: circle.id === chosen ? 3 : 1,
              fillOpacity: 0.7,
            }),
      })
        .on('click', () => choose(circle.id))
        .bindTooltip(Object.assign(document.createElement('span'), { textContent: circle.name }))
        .addTo(group)
    }
    // The chosen way lies over the others, which step back.
    const isChosen = (id: string) => id === chosen
    for (const { id, tone, points } of lines.toSorted((one, other) => +isChosen(one.id) - +isChosen(other.id))) {
      const way = points.map(([latitude, longitude]): L.LatLngTuple => [latitude, longitude])
      const isBack = lines.some((line) => isChosen(line.id)) && !isChosen(id)
      L.polyline(way, {
        renderer: canvas,
        color: colourOf(tone),
        bubblingMouseEvents: false,
        weight: isChosen(id) ? 5 : 3,
        opacity: isBack ? 0.35 : 0.9,
      })
        .on('click', () => choose(id))
        .addTo(group)
    }
    return () => void group.remove()
    // With light and dark the paper changes, and so do the colours.
  }, [map, canvas, circles, lines, chosen, paper])

  useFit(circles, lines)
  return null
}

/** Shows all that was reached, or else everything, once it is known; from then on the map stays where the user has put it. */
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
