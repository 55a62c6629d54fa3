import { delivery } from '@roadshow/contract/proof/delivery'
import { useCall } from '../../api/useCall.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { DeliveryLines } from './DeliveryLines.tsx'
import shared from '../pop/pop.module.css'

/** What is booked for a program and how much of it is delivered, in its drawer. */
export function DeliveryTab({ program }: { program: string }) {
  const params = { uid: program }
  const found = useCall(delivery.program, { params })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  if (found.data.lines.length === 0) {
    return <Soft as="p">Nothing is booked for this program. Add lines under Booked to see its pace.</Soft>
  }
  return (
    <Stack gap={4} className={shared.stack}>
      <Soft as="p">
        A day counts once it is over, at 6:00 AM of the next day in its market. What is booked is expected in equal
        parts each day.
      </Soft>
      <DeliveryLines program={program} lines={found.data.lines} />
    </Stack>
  )
}
