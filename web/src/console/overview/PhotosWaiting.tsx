import { Link } from '@tanstack/react-router'
import { useReply } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { FigureContent } from '../../live/fleet/FleetFigures.tsx'
import { queueCall } from './firstScreenCalls.ts'
import styles from '../../live/fleet/FleetFigures.module.css'

const ONLY_THE_NUMBER = { query: { pageSize: '1' } }

/** How many photos wait for approval, which leads to them. */
export default function PhotosWaiting() {
  const mayReview = useMay(queueCall)
  const found = useReply(queueCall, ONLY_THE_NUMBER, { enabled: mayReview })
  if (!mayReview) return null
  const total = found.data?.total
  return (
    <Link to="/client-pop" search={{ queue: 'photos' }} className={styles.figure}>
      <FigureContent label="Photos waiting" count={total} tone={total ? 'warn' : undefined} />
    </Link>
  )
}
