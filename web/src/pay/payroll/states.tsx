import { payPeriodStateLabel } from '@roadshow/contract/pay/pay-periods'
import type { PayPeriodState } from '@roadshow/contract/pay/pay-periods'
import { Skeleton } from 'antd'
import { StateTag } from '../../ui/StateTag.tsx'
import type { Tone } from '../../ui/StateTag.tsx'

const tones: Record<PayPeriodState, Tone> = { open: 'parked', approved: 'driving', locked: 'driving' }

export const PeriodStateTag = ({ state }: { state: PayPeriodState }) => (
  <StateTag tone={tones[state]}>{payPeriodStateLabel[state]}</StateTag>
)

export const PaySkeleton = () => <Skeleton active title paragraph={{ rows: 6 }} />
