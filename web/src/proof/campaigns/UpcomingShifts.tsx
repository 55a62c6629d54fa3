import { formatWeekday, zoneName, formatClocks } from '@roadshow/contract/platform/dates'
import type { Campaign } from '@roadshow/contract/proof/campaigns'
import { useId } from 'react'
import { List, Soft } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import styles from './campaigns.module.css'

/** The next shifts: day, hours and market. */
export function UpcomingShifts({ campaign: { upcoming, upcomingTotal, phase } }: { campaign: Campaign }) {
  const heading = useId()
  if (phase === 'ended') return null
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>Next shifts</h3>
      {upcoming.length === 0 && <Soft as="p">No shifts planned yet.</Soft>}
      <List above={2} className={styles.shifts}>
        {upcoming.map(({ uid, date, start, end, zone, market }) => (
          <li key={uid}>
            <b>{formatWeekday(date)}</b>
            <span className="figures">
              {formatClocks({ start, end })} {zoneName(zone, new Date(`${date}T12:00:00Z`))}
            </span>
            <span>{market}</span>
          </li>
        ))}
      </List>
      {upcomingTotal > upcoming.length && (
        <Soft as="p">{countOf(upcomingTotal - upcoming.length, 'more shift')} planned.</Soft>
      )}
    </section>
  )
}
