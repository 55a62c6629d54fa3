import { payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import type { PayPeriodState } from '@roadshow/contract/pay/pay-periods'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { SkeletonLines } from '../../ui/states.tsx'

const tones: Record<PayPeriodState, Tone> = { open: 'parked', approved: 'driving', locked: 'driving' }

export const PeriodStateTag = ({ state }: { state: PayPeriodState }) => (
  <StateTag tone={tones[state]}>{payPeriodStateLabel[state]}</StateTag>
)

export const PaySkeleton = () => <SkeletonLines rows={7} />
