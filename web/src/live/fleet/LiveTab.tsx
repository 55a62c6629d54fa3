import { fleet } from '@roadshow/contract/live/fleet'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { SpotMap } from '../../ui/map/SpotMap.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ScreenPanels } from './ScreenPanel.tsx'
import { TruckFacts } from './TruckCard.tsx'
import { LiveStateTag, spotOf } from './truckState.tsx'
import styles from './LiveTab.module.css'

// The trackers are polled this often, too.
const REFETCH_MS = 10_000

/** A truck's position and route of the day, for a tab of its drawer. */
export function LiveTab({ truckUid: uid }: { truckUid: string }) {
  const found = useQuery({
    queryKey: keyOf(fleet.track, { uid }),
    queryFn: async ({ signal }) => (await call(fleet.track, { params: { uid }, query: {} }, { signal })).data,
    refetchInterval: REFETCH_MS,
  })
  const { data } = found
  const spots = useMemo(() => (data ? spotOf(data.truck) : []), [data])
  const track = useMemo(() => data?.points.map(([latitude, longitude]) => [latitude, longitude] as const), [data])
  if (found.isError && !data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!data) return <SkeletonLines />
  const { truck } = data
  return (
    <Stack gap={3} className={styles.live}>
      <LiveStateTag state={truck.state} />
      <SpotMap label={`Truck ${truck.number} today`} spots={spots} chosen={uid} track={track} />
      {spots.length === 0 && (
        <p>
          <Soft>No position yet.</Soft>
        </p>
      )}
      <TruckFacts truck={truck} driven={data} />
      <ScreenPanels truckUid={uid} />
    </Stack>
  )
}
