import { fleet } from '@roadshow/contract/live/fleet'
import { useMemo } from 'react'
import { useCall } from '../../api/useCall.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { SpotMap } from '../../ui/map/SpotMap.tsx'
import { ReplayLink } from '../../planning/shifts/ReplayLink.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ScreenPanels } from '../screens/ScreenPanel.tsx'
import { TruckFacts } from './TruckCard.tsx'
import { LiveStateTag, spotOf } from './truckState.tsx'
import styles from './overview.module.css'

/** A truck's position and route of the day, for a tab of its drawer. */
export function LiveTab({ truckUid: uid }: { truckUid: string }) {
  const found = useCall(fleet.track, { params: { uid }, query: {} })
  const { data } = found
  const spots = useMemo(() => (data ? spotOf(data.truck) : []), [data])
  const track = useMemo(() => data?.points.map(([latitude, longitude]) => [latitude, longitude] as const), [data])
  if (found.isError && !data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!data) return <SkeletonLines />
  const { truck } = data
  return (
    <Stack gap={3} className={styles.live}>
      <Row gap={3} align="center" wrap between>
        <LiveStateTag state={truck.state} />
        <ReplayLink search={{ truck: uid, day: data.day }} />
      </Row>
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
