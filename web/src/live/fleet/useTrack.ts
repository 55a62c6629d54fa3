import { fleet } from '@roadshow/contract/live/fleet'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useMemo } from 'react'
import { useCall } from '../../api/useCall.ts'
import type { TrackPoints } from '../../ui/map/spots.ts'
import type { DrivenToday } from './TruckCard.tsx'

/** Where a truck was today, up to where it is now. */
export function useTrack(truck: LiveTruck | undefined): {
  track: TrackPoints | undefined
  driven: DrivenToday | undefined
} {
  const uid = truck?.uid ?? ''
  const { data } = useCall(fleet.track, { params: { uid }, query: {} }, { enabled: truck !== undefined })
  const { latitude = null, longitude = null } = truck ?? {}
  const track = useMemo(() => {
    const points = data?.points.map(([lat, lng]) => [lat, lng] as const)
    return points && latitude !== null && longitude !== null ? [...points, [latitude, longitude] as const] : points
  }, [data, latitude, longitude])
  return { track, driven: data }
}
