import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'

/** Local days of a program in a market. */
export interface PlaySpan {
  /** Names the span among the others. */
  key: string
  program: string
  market: string
  from: string
  to: string
  /** The plays up to and with this day are counted by themselves; null for none. */
  through: string | null
}

export interface SpanTotal {
  key: string
  /** The plays up to and with `through`, and those after it. */
  plays: number
  playsSince: number
}

/** The plays of many spans in one statement; spans without plays are left out. */
export async function totalsBySpan(db: Db, spans: readonly PlaySpan[]): Promise<SpanTotal[]> {
  if (spans.length === 0) return []
  const { rows } = await sql<SpanTotal>`
    with span as materialized (select * from ${rowsAsTable('s', spans, {
      key: ['uuid', ({ key }) => key],
      program: ['uuid', ({ program }) => program],
      market: ['uuid', ({ market }) => market],
      first_day: ['date', ({ from }) => from],
      last_day: ['date', ({ to }) => to],
      through: ['date', ({ through }) => through],
    })}),
    played as materialized (
      select h.program_uid, h.market_uid, h.day, sum(h.plays)::bigint as plays from play_hour h
       where h.program_uid = any(${[...new Set(spans.map(({ program }) => program))]}::uuid[])
         and h.day between ${spans.map(({ from }) => from).toSorted()[0]}::date
                       and ${spans
                         .map(({ to }) => to)
                         .toSorted()
                         .at(-1)}::date
       group by h.program_uid, h.market_uid, h.day)
    select s.key, coalesce(sum(p.plays) filter (where p.day <= s.through), 0)::bigint as plays,
           coalesce(sum(p.plays) filter (where not coalesce(p.day <= s.through, false)), 0)::bigint as "playsSince"
      from span s join played p
        on p.program_uid = s.program and p.market_uid = s.market and p.day between s.first_day and s.last_day
     group by s.key`.execute(db)
  return rows
}
