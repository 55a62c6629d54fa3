import { payroll } from '@roadshow/contract/pay/payroll'
import { lazy, Suspense } from 'react'
import { useMay } from '../../api/user.ts'
import { Stack } from '../../ui/layout.tsx'
import { usePayDays } from './usePayDays.ts'
import { PayBar } from './PayBar.tsx'
import { PaySkeleton } from './states.tsx'
import styles from './payroll.module.css'

// A user sees one of them.
const EverybodysPay = lazy(() => import('./AllPay.tsx'))
const OwnPay = lazy(() => import('./OwnPay.tsx'))

export default function PayrollPage() {
  const days = usePayDays()
  const maySeeAll = useMay(payroll.periods)
  const Pay = maySeeAll ? EverybodysPay : OwnPay
  return (
    <Stack gap={4} className={styles.page}>
      <PayBar days={days} />
      {!days.problem && (
        <Suspense fallback={<PaySkeleton />}>
          <Pay days={days} />
        </Suspense>
      )}
    </Stack>
  )
}
