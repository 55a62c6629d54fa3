import { formatDays, formatWeekday } from '@roadshow/contract/platform/dates'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { weekTexts } from '@roadshow/contract/proof/campaign-words'
import type { Campaign, CampaignWeek } from '@roadshow/contract/proof/campaigns'
import { dayText } from '@roadshow/contract/proof/pop-figure-words'
import { toMiles } from '@roadshow/contract/platform/geo'
import { useId } from 'react'
import { ColumnChart } from '../../ui/charts/ColumnChart.tsx'
import type { ChartColumn } from '../../ui/charts/ColumnChart.tsx'
import { Soft } from '../../ui/layout.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PlaysLink, ShiftsLink } from '../pop/figureLinks.tsx'
import styles from './CampaignWeekPart.module.css'

const WEEK = [0, 1, 2, 3, 4, 5, 6]

/** The seven days of a week as columns of plays, or of miles where there are no plays. */
function columnsOf(
  { from, today, days }: CampaignWeek,
  value: (day: CampaignWeek['days'][number]) => number,
): ChartColumn[] {
  return WEEK.map((index) => {
    const day = addDays(from, index)
    const found = days.find((each) => each.day === day)
    const texts = found && dayText(found)
    const nothing = day > today ? 'not yet' : 'no shift'
    return {
      key: day,
      label: formatWeekday(day).slice(0, 3),
      name: `${formatWeekday(day)}: ${texts ? `${texts.plays} plays, ${texts.miles} miles` : nothing}`,
      parts: found ? [{ key: 'value', tone: 'driving', value: value(found) }] : [],
    }
  })
}

/** A round value that is at least the highest; even, because its half stands on the axis too. */
const topOf = (columns: readonly ChartColumn[]) => {
  const most = Math.max(1, ...columns.flatMap(({ parts }) => parts.map(({ value }) => value)))
  const step = 10 ** Math.floor(Math.log10(most))
  const top = Math.ceil(most / step) * step
  return top + (top % 2)
}

/** The figures of the present week with a small chart of its days. */
export function CampaignWeekPart({ campaign: { uid, week } }: { campaign: Campaign }) {
  const heading = useId()
  const hasPlays = week.figures.plays > 0
  const columns = columnsOf(week, ({ plays, metres }) => (hasPlays ? plays : toMiles(metres)))
  const what = hasPlays ? 'Plays' : 'Miles'
  const isDrawn = columns.some(({ parts }) => parts.some(({ value }) => value > 0))
  const rows = { program: uid, days: { from: week.from, to: addDays(week.from, 6) } }
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>This week</h3>
      <Soft as="p" className="figures">
        {formatDays(week.from, week.today)}
      </Soft>
      {week.figures.shifts === 0 ? (
        <p>No shifts this week yet.</p>
      ) : (
        <>
          <dl className={`figures ${styles.numbers ?? ''}`}>
            {weekTexts(week).map(({ name, value, unit, note }) => (
              <div key={name}>
                <dt>{unit}</dt>
                <dd className={styles.value}>
                  {name === 'plays' ? (
                    <PlaysLink {...rows}>{value}</PlaysLink>
                  ) : (
                    <ShiftsLink {...rows}>{value}</ShiftsLink>
                  )}
                </dd>
                {note && <Soft as="dd">{note}</Soft>}
              </div>
            ))}
          </dl>
          {isDrawn && (
            <ColumnChart
              title={`${what} by day`}
              sentence={`${what} on each day of this week.`}
              columns={columns}
              top={topOf(columns)}
              formatValue={formatCount}
              height={140}
            />
          )}
        </>
      )}
    </section>
  )
}
