import { Link, Navigate } from '@tanstack/react-router'
import { useSetupStanding } from './useSetupStanding.ts'
import styles from './setup.module.css'

/** Leads a new company to its greeting and then to its list, and the demo to data of one's own. */
export default function SetupLink() {
  const standing = useSetupStanding()
  if (standing?.greeting) return <Navigate to="/welcome" replace />
  if (standing?.isUnfinished)
    return (
      <p className={styles.notice}>
        <Link to="/setup">Set up your company</Link>: what is left until the first proof of play.
      </p>
    )
  if (standing?.demo)
    return (
      <p className={styles.notice}>
        This is a demo. <Link to="/setup">Start with your own data</Link>
      </p>
    )
  return null
}
