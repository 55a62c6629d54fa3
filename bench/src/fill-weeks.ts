import { DAY_MS } from '@roadshow/contract'
import { dayOf, weekOf } from '@roadshow/api/platform/db/partitions'
import type { RunSql } from './sql.ts'

export const dayBack = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

export const boundsOf = (day: string, days = 1) =>
  [0, days * DAY_MS].map((ms) => new Date(Date.parse(day) + ms).toISOString())

const mondayOf = (day: string) => dayOf(weekOf(Date.parse(day)))

/** Numbers of days back from today that lie in one week, week by week from the newest. */
export function weeksBack(first: number, last: number): { monday: string; days: number[] }[] {
  const weeks: { monday: string; days: number[] }[] = []
  for (let back = first; back <= last; back++) {
    const monday = mondayOf(dayBack(back))
    const week = weeks.at(-1)
    if (week?.monday === monday) week.days.push(back)
    else weeks.push({ monday, days: [back] })
  }
  return weeks
}

/** A week is filled before it is attached where it is not there yet: its indexes are made at once. */
export async function fillWeek(
  sql: RunSql,
  table: 'play' | 'position',
  { monday, fill }: { monday: string; fill: (table: string) => Promise<unknown> },
): Promise<void> {
  const [from = '', until = ''] = boundsOf(monday, 7)
  const known = await sql(
    `select from partitions_of($3) where starts_at < $2::timestamptz and ends_at > $1::timestamptz`,
    [from, until, table],
  )
  if (known.length > 0) {
    for (let n = 0; n < 7; n++) await sql(`call ensure_week($3, $1::date + $2::int)`, [monday, n, table])
    return void (await fill(table))
  }
  const week = `${table}_week_${monday.replaceAll('-', '')}`
  await sql(`create table ${week} (like ${table} including defaults including constraints)`)
  await fill(week)
  await sql(`alter table ${table} attach partition ${week} for values from ('${from}') to ('${until}')`)
}
