import type { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { Link } from '@tanstack/react-router'
import { endpointWithoutSchemas } from '../../api/call.ts'
import { useReply } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { FigureContent } from '../../live/fleet/FleetFigures.tsx'
import styles from '../../live/fleet/FleetFigures.module.css'

// The first screen does without the schemas.
const queueCall = endpointWithoutSchemas<typeof photoQueue.list>({
  method: 'GET',
  path: 'client-pop/photos/waiting/run',
  access: { module: 'pop', needs: 'edit', reach: 'all' },
  follows: ['photos', 'pops'],
})
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
