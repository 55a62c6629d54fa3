import { GAP_MS, stayedPut } from '@roadshow/contract/live/track-gaps'
import type { TrackPoint } from '@roadshow/contract/platform/geo'
import L from 'leaflet'
import { useEffect, useMemo } from 'react'
import { colorIn } from '../../brand/colors.ts'
import { currentColor } from '../../ui/map/currentColor.ts'
import { useMap, useMapEvents } from '../../ui/map/leafletContext.tsx'
import { MapFrame } from '../../ui/map/MapFrame.tsx'
import type { MapPlace } from '../../ui/map/places.ts'
import { PlacesLayer } from '../../ui/map/PlacesLayer.tsx'
import { useFirstFit } from '../../ui/map/useFirstFit.ts'
import { useSpotsLayer } from '../../ui/map/useSpotsLayer.ts'
import { useScheme } from '../../ui/theme.tsx'
import { useMedia } from '../../ui/useMedia.ts'
import { motionText } from './momentText.ts'
import { positionAt } from './moments.ts'
import type { ReplayMapProps } from './replayMapProps.ts'
import type { ReplayModel } from './replayModel.ts'

const at = ({ latitude, longitude }: Pick<TrackPoint, 'latitude' | 'longitude'>): L.LatLngTuple => [latitude, longitude]

export default function LeafletReplayMap({ model, clock }: ReplayMapProps) {
  const isTall = useMedia('(min-height: 1000px) and (min-width: 1100px)')
  const isNarrow = useMedia('(max-width: 899px)')
  const { replay } = model
  const places = useMemo(() => placesOf(model), [model])
  const timeOf = (id: string) => {
    const photo = replay.photos.find(({ uid }) => uid === id)
    const stop = replay.stops.find((each) => stopId(each) === id)
    return photo?.at ?? (stop && Date.parse(stop.arrivedAt ?? stop.opensAt))
  }
  return (
    <MapFrame label={`The way of ${replay.truck.name}`} height={isNarrow ? 300 : isTall ? 560 : 420}>
      <Way model={model} />
      <PlacesLayer
        places={places}
        outline={null}
        onSelect={(id) => {
          const moment = timeOf(id)
          if (moment !== undefined) clock.moveTo(moment)
        }}
      />
      <Truck model={model} clock={clock} />
      <Fit model={model} />
      <Clicks model={model} clock={clock} />
    </MapFrame>
  )
}

const stopId = ({ name, opensAt }: ReplayModel['replay']['stops'][number]) => `${name} ${opensAt}`

/** Photos and stops that have a place. */
function placesOf({ replay: { photos, stops } }: ReplayModel): MapPlace[] {
  return [
    ...stops.map((stop): MapPlace => ({ ...stop, id: stopId(stop), tone: 'off-shift' })),
    ...photos.flatMap(({ uid, latitude, longitude, caption }): MapPlace[] =>
      latitude === null || longitude === null
        ? []
        : [{ id: uid, name: caption || 'Photo', latitude, longitude, tone: 'playing-silent' }],
    ),
  ]
}

/** The track; over a silence, in which the way is not known, it is dashed. */
function Way({ model: { fixes } }: { model: ReplayModel }) {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  useEffect(() => {
    const pieces: L.LatLngTuple[][] = []
    const gaps: L.LatLngTuple[][] = []
    fixes.forEach((fix, index) => {
      const before = fixes[index - 1]
      const isGap = before && fix.at - before.at > GAP_MS && !stayedPut(before, fix)
      if (isGap) gaps.push([at(before), at(fix)])
      if (!before || isGap) pieces.push([at(fix)])
      else pieces.at(-1)?.push(at(fix))
    })
    const renderer = L.canvas({ padding: 0.3 })
    const look = { renderer, interactive: false }
    const color = currentColor(map.getContainer(), 'amber')
    const group = L.layerGroup().addTo(map)
    L.polyline(pieces, { ...look, color: paper, weight: 6, opacity: 0.8 }).addTo(group)
    L.polyline(gaps, { ...look, color, weight: 2, opacity: 0.7, dashArray: '4 8' }).addTo(group)
    L.polyline(pieces, { ...look, color, weight: 3, opacity: 0.9 }).addTo(group)
    return () => void group.remove()
    // With light and dark the paper changes, and so do the colors.
  }, [map, fixes, paper])
  return null
}

/** The truck at the present moment: a step moves it and draws nothing else. */
function Truck({ model, clock }: ReplayMapProps) {
  const map = useMap()
  const layer = useSpotsLayer()
  useEffect(() => {
    const { truck } = model.replay
    const show = () => {
      const position = positionAt(model.fixes, model.times, clock.at)
      if (!position) return layer.setSpots([], undefined)
      const { latitude, longitude, heading, kind } = position
      const isLost = kind === 'lost'
      const tone = isLost ? 'silent' : heading === null ? 'parked' : 'driving'
      const shape = isLost ? 'ring' : heading === null ? 'disc' : 'arrow'
      const text = motionText(model, clock.at)
      const spot = {
        id: truck.uid,
        name: truck.name,
        text,
        tone,
        shape,
        latitude,
        longitude,
        heading,
        isUrgent: false,
      } as const
      layer.setSpots([spot], truck.uid)
      if (!map.getBounds().contains(at(position))) map.panTo(at(position), { animate: false })
    }
    show()
    return clock.subscribe(show)
  }, [map, layer, model, clock])
  return null
}

function Fit({ model: { fixes } }: { model: ReplayModel }) {
  useFirstFit(
    useMemo(() => fixes.map(at), [fixes]),
    15,
  )
  return null
}

const NEAR_PX = 24

/** A click on the way goes to the moment when the truck was there. */
function Clicks({ model: { fixes }, clock }: ReplayMapProps) {
  const map = useMap()
  useMapEvents({
    click: ({ latlng, containerPoint }) => {
      let nearest: { fix: TrackPoint; distance: number } | undefined
      for (const fix of fixes) {
        const distance = Math.hypot(
          fix.latitude - latlng.lat,
          (fix.longitude - latlng.lng) * Math.cos(latlng.lat / 57.3),
        )
        if (!nearest || distance < nearest.distance) nearest = { fix, distance }
      }
      if (nearest && map.latLngToContainerPoint(at(nearest.fix)).distanceTo(containerPoint) < NEAR_PX)
        clock.moveTo(nearest.fix.at)
    },
  })
  return null
}
