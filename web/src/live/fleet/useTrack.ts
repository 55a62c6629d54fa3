import { fleet } from '@roadshow/contract/live/fleet'
import type { LiveTruck } from '@roadshow/contract/live/fleet'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import type { TrackPoints } from '../../ui/map/spots.ts'
import type { DrivenToday } from './TruckCard.tsx'

const AGAIN_MS = 30_000

/** Where a truck was today, up to where it is now. */
export function useTrack(truck: LiveTruck | undefined): {
  track: TrackPoints | undefined
  driven: DrivenToday | undefined
} {
  const uid = truck?.uid ?? ''
  const { data } = useQuery({
    enabled: truck !== undefined,
    queryKey: keyOf(fleet.track, { uid }),
    queryFn: async ({ signal }) => (await call(fleet.track, { params: { uid }, query: {} }, { signal })).data,
    refetchInterval: AGAIN_MS,
  })
  const { latitude = null, longitude = null } = truck ?? {}
  const track = useMemo(() => {
    const points = data?.points.map(([lat, lng]) => [lat, lng] as const)
    return points && latitude !== null && longitude !== null ? [...points, [latitude, longitude] as const] : points
  }, [data, latitude, longitude])
  return { track, driven: data }
}
