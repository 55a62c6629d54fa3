import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import type { OutOfService } from '@roadshow/contract/planning/out-of-service'
import { describeStretch } from '@roadshow/contract/planning/stretch'
import { zoneName } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { useList } from '../../../api/useList.ts'
import { useMay } from '../../../api/user.ts'
import { List, Row, Soft, Stack } from '../../../ui/layout.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { useNow } from '../../../ui/useNow.ts'
import { OutOfServiceOverlay } from './OutOfServiceOverlay.tsx'
import { useOutOfServiceParam } from './useOutOfServiceParam.ts'

const stateOf = ({ startsAt, endsAt }: OutOfService, now: number) => {
  if (endsAt !== null && Date.parse(endsAt) <= now) return 'Over'
  return Date.parse(startsAt) <= now ? 'Now' : 'Planned'
}

/** When a truck is in the shop: now, planned and before. */
export function ShopTab({ truckUid }: { truckUid: string }) {
  const [, ask] = useOutOfServiceParam()
  const mayPlan = useMay(outOfServices.create)
  const now = useNow()
  const found = useList(outOfServices.list, { truck: truckUid, sort: '-startsAt', pageSize: '50' })
  const open = (uid?: string) => ask({ over: 'truck', of: truckUid, uid })
  return (
    <Stack gap={3}>
      {mayPlan && (
        <div>
          <Button type="primary" onClick={() => open()}>
            Send to the shop
          </Button>
        </div>
      )}
      {found.isPending && <SkeletonLines rows={3} />}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.data.length === 0 && (
        <EmptyState>
          This truck has no time in the shop. Shifts in such a time are moved or canceled in the same step.
        </EmptyState>
      )}
      <List gap={2} divided>
        {found.data?.data.map((stretch) => (
          <li key={stretch.uid}>
            <Row gap={3} between align="center" wrap>
              <div>
                <div>
                  <strong>{stateOf(stretch, now)}</strong> {describeStretch(stretch)}{' '}
                  {zoneName(stretch.zone, stretch.startsAt)}
                </div>
                {stretch.reason !== '' && <Soft>{stretch.reason}</Soft>}
              </div>
              {mayPlan && <Button onClick={() => open(stretch.uid)}>Change</Button>}
            </Row>
          </li>
        ))}
      </List>
      <OutOfServiceOverlay />
    </Stack>
  )
}
