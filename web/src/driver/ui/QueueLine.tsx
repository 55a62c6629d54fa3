import { useAppState, useWords } from '../context.ts'
import { Link } from '../router.tsx'
import { queueLine } from './queue-line.ts'
import styles from './Frame.module.css'

/** What waits on this phone, in one quiet line that leads to the queue. */
export function QueueLine() {
  const line = queueLine(useAppState(), useWords())
  if (!line) return null
  return (
    <Link to="/queue" className={`${styles.line} ${line.needsLook ? styles.look : ''}`}>
      {line.text}
    </Link>
  )
}
