import L from 'leaflet'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useMap, useMapEvents } from './leafletContext.tsx'
import { MapFrame } from './MapFrame.tsx'
import { createTextTooltip, setTooltipText } from './mapText.ts'
import type { SpotsLayer } from './SpotsLayer.ts'
import type { Spot, SpotMapProps, TrackPoints } from './spots.ts'
import { BESIDE_CONTROLS, useFirstFit } from './useFirstFit.ts'
import { useSpotsLayer } from './useSpotsLayer.ts'
import styles from './map.module.css'

// Close enough to see the streets that it takes.
const FOLLOWING_ZOOM = 13
const FITTED_ZOOM = 13

export default function LeafletSpots({ label, height, aside, ...props }: SpotMapProps) {
  return (
    <MapFrame label={label} height={height} aside={aside}>
      <TrackLayer track={props.track} />
      <Spots {...props} />
      <Fit spots={props.spots} track={props.track} />
    </MapFrame>
  )
}

type SpotsProps = Omit<SpotMapProps, 'label' | 'height' | 'aside'>

function Spots({ spots, chosen, onChoose, isFollowing = false, onLeave }: SpotsProps) {
  const map = useMap()
  const layer = useSpotsLayer()
  useEffect(() => layer.setSpots(spots, chosen), [layer, spots, chosen])
  useHover(layer)
  useMapEvents({
    click: ({ containerPoint }) => {
      const hit = layer.hitAt(containerPoint)
      if (hit?.members.length === 1 || !hit) onChoose?.(hit?.members[0]?.spot.id)
      else map.fitBounds(L.latLngBounds(hit.members.map(({ spot }) => at(spot))), { ...BESIDE_CONTROLS, maxZoom: 17 })
    },
    dragstart: () => onLeave?.(),
  })

  const target = spots.find(({ id }) => id === chosen)
  const [latitude, longitude] = target ? [target.latitude, target.longitude] : []
  useEffect(() => {
    if (latitude === undefined || longitude === undefined) return
    const place: L.LatLngTuple = [latitude, longitude]
    if (isFollowing) map.setView(place, Math.max(map.getZoom(), FOLLOWING_ZOOM), { animate: false })
  }, [map, isFollowing, latitude, longitude])
  const show = useEffectEvent(() => {
    if (target && !map.getBounds().contains(at(target))) map.panTo(at(target), { animate: false })
  })
  useEffect(() => {
    if (chosen !== undefined) show()
  }, [chosen])
  return null
}

const at = ({ latitude, longitude }: Spot): L.LatLngTuple => [latitude, longitude]

/** Says what is under the pointer. */
function useHover(layer: SpotsLayer) {
  const map = useMap()
  const tooltip = useRef<L.Tooltip>(null)
  const hide = () => {
    tooltip.current?.remove()
    map.getContainer().style.cursor = ''
  }
  useMapEvents({
    mousemove: ({ containerPoint }) => {
      const hit = layer.hitAt(containerPoint)
      if (!hit) return hide()
      map.getContainer().style.cursor = 'pointer'
      const [only] = hit.members
      const text =
        hit.members.length === 1 && only ? `${only.spot.name}: ${only.spot.text}` : `${hit.members.length} here`
      tooltip.current ??= createTextTooltip({ direction: 'top', offset: [0, -10] })
      setTooltipText(tooltip.current, text).setLatLng(map.containerPointToLatLng(hit.point)).addTo(map)
    },
    mouseout: hide,
    movestart: hide,
  })
}

function TrackLayer({ track }: { track: TrackPoints | undefined }) {
  const map = useMap()
  useEffect(() => {
    if (!track || track.length < 2) return
    const line = L.polyline(
      track.map(([latitude, longitude]): L.LatLngTuple => [latitude, longitude]),
      { className: styles.track ?? '', weight: 3, interactive: false },
    ).addTo(map)
    return () => void line.remove()
  }, [map, track])
  return null
}

function Fit({ spots, track = [] }: { spots: readonly Spot[]; track: TrackPoints | undefined }) {
  const points = [...spots.map(at), ...track.map(([latitude, longitude]): L.LatLngTuple => [latitude, longitude])]
  useFirstFit(points, FITTED_ZOOM)
  return null
}
