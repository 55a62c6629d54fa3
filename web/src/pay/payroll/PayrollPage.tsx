import { payroll } from '@roadshow/contract/pay/payroll'
import { useMay } from '../../api/user.ts'
import { Stack } from '../../ui/layout.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useNamedPeriod, usePayDays } from './usePayDays.ts'
import { PayBar } from './PayBar.tsx'
import { PaySkeleton } from './states.tsx'
import styles from './payroll.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

// A user sees one of them.
const EverybodysPay = lazyPart(() => import('./AllPay.tsx'), { waiting: () => <PaySkeleton /> })
const OwnPay = lazyPart(() => import('./OwnPay.tsx'), { waiting: () => <PaySkeleton /> })

export default function PayrollPage() {
  const shown = usePayDays()
  const { days, found } = shown
  useNamedPeriod(shown)
  const maySeeAll = useMay(payroll.periods)
  const Pay = maySeeAll ? EverybodysPay : OwnPay
  if (!days) {
    return found.isError ? <ErrorState error={found.error} onRetry={() => void found.refetch()} /> : <PaySkeleton />
  }
  return (
    <Stack gap={4} className={styles.page}>
      <PayBar days={days} />
      {!days.problem && <Pay days={days} />}
    </Stack>
  )
}
