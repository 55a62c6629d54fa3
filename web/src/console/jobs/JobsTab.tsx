import { services } from '@roadshow/contract/console/services'
import type { BackgroundJob } from '@roadshow/contract/console/services'
import { useReply } from '../../api/useCall.ts'
import { List } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import styles from './jobs.module.css'

function formatInterval(seconds: number): string {
  if (seconds < 1) return `every ${seconds * 1000} ms`
  if (seconds < 60) return seconds === 1 ? 'every second' : `every ${seconds} seconds`
  if (seconds < 3600) return seconds === 60 ? 'every minute' : `every ${seconds / 60} minutes`
  return seconds === 3600 ? 'every hour' : `every ${seconds / 3600} hours`
}

const outcomeWords = { done: 'Done', more: 'Still working', failed: 'Failed' } as const

function lastRunText({ lastRun }: BackgroundJob): string {
  if (!lastRun) return 'Has not run yet'
  const { outcome, endedAt, seconds } = lastRun
  return `${outcomeWords[outcome]} at ${formatDateTime(endedAt, localZone())}, in ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
}

/** What the server does by itself, for a tab of the settings. */
export function JobsTab() {
  const found = useReply(services.jobs)
  const jobs = found.data?.data
  return (
    <div className={styles.tab}>
      <p>The server does this work by itself. A job that fails is tried again at its next turn.</p>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!jobs && !found.isError && <SkeletonLines rows={6} />}
      <List aria-label="Background work">
        {jobs?.map((job) => (
          <li key={job.name}>
            <strong>{job.name}</strong>
            <span>{job.what}</span>
            <span>
              Runs {formatInterval(job.everySeconds)} on{' '}
              {job.runsOn === 'node' ? 'every server' : 'one server at a time'}
            </span>
            <span data-outcome={job.lastRun?.outcome}>{lastRunText(job)}</span>
          </li>
        ))}
      </List>
    </div>
  )
}
