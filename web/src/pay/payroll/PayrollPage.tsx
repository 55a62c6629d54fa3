import { payroll } from '@roadshow/contract/pay/payroll'
import { useMay } from '../../api/user.ts'
import { Stack } from '../../ui/layout.tsx'
import { usePayDays } from './usePayDays.ts'
import { PayBar } from './PayBar.tsx'
import { PaySkeleton } from './states.tsx'
import styles from './payroll.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

// A user sees one of them.
const EverybodysPay = lazyPart(() => import('./AllPay.tsx'), { waiting: () => <PaySkeleton /> })
const OwnPay = lazyPart(() => import('./OwnPay.tsx'), { waiting: () => <PaySkeleton /> })

export default function PayrollPage() {
  const days = usePayDays()
  const maySeeAll = useMay(payroll.periods)
  const Pay = maySeeAll ? EverybodysPay : OwnPay
  return (
    <Stack gap={4} className={styles.page}>
      <PayBar days={days} />
      {!days.problem && <Pay days={days} />}
    </Stack>
  )
}
