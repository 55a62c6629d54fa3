import { photoQueue } from '@roadshow/contract/proof/photo-queue'
import { Link } from '@tanstack/react-router'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { FigureContent } from '../../live/fleet/FleetFigures.tsx'
import styles from '../../live/fleet/FleetFigures.module.css'

const ONLY_THE_NUMBER = { pageSize: '10' }

/** How many photos wait for approval, which leads to them. */
export default function PhotosWaiting() {
  const mayReview = useMay(photoQueue.list)
  const found = useList(photoQueue.list, ONLY_THE_NUMBER, mayReview)
  if (!mayReview) return null
  const total = found.data?.total
  return (
    <Link to="/client-pop" search={{ queue: 'photos' }} className={styles.figure}>
      <FigureContent label="Photos waiting" count={total} tone={total ? 'warn' : undefined} />
    </Link>
  )
}
