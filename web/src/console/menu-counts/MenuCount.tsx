import { fleet } from '@roadshow/contract/live/fleet'
import { payReview } from '@roadshow/contract/pay/pay-review'
import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import type { ComponentType } from 'react'
import { useReply } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import type { Screen } from '../../app/screen.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import styles from './MenuCount.module.css'

interface CountProps {
  count: number | undefined
  /** What is counted: `open issues`. */
  what: string
}

/** The number beside a screen's name; nothing where nothing waits. */
const Count = ({ count = 0, what }: CountProps) =>
  count > 0 && (
    <span className={`${styles.count} figures`} role="img" aria-label={`${formatCount(count)} ${what}`}>
      {formatCount(count)}
    </span>
  )

function OpenIssues() {
  const found = useReply(fleet.figures, {}, { enabled: useMay(fleet.figures) })
  return <Count count={found.data?.data.openIssues} what="open issues" />
}

/** Shifts that need dispatch because of their drivers. */
function DriverQuestions() {
  const found = useReply(fleet.figures, {}, { enabled: useMay(fleet.figures) })
  const drivers = found.data?.data.drivers
  return (
    <Count count={drivers ? drivers.declined + drivers.otherTruck : 0} what="shifts declined or on another truck" />
  )
}

function WaitingPhotos() {
  const found = useReply(photoQueue.list, { query: { pageSize: '1' } }, { enabled: useMay(photoQueue.list) })
  return <Count count={found.data?.total} what="photos to approve" />
}

/** Shifts to decide in the oldest pay period that needs work. */
function PayDecisions() {
  const mayDecide = useMay(payReview.undecided)
  const { oldest } = useReply(payReview.calendar, { query: {} }, { enabled: mayDecide }).data?.data ?? {}
  const query = oldest ?? { from: '', to: '' }
  const found = useReply(payReview.undecided, { query }, { enabled: mayDecide && Boolean(oldest) })
  return <Count count={found.data?.data.length} what="shifts to decide" />
}

const counts: Partial<Record<Screen['path'], ComponentType>> = {
  '/overview': OpenIssues,
  '/schedule/program-schedule': DriverQuestions,
  '/client-pop': WaitingPhotos,
  '/users/payroll': PayDecisions,
}

/** How much waits on a screen for the user. */
export default function MenuCount({ path }: { path: Screen['path'] }) {
  const Waiting = counts[path]
  return Waiting && <Waiting />
}
