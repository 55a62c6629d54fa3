import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { TimeRange } from '../telemetry/index.ts'
import { dayFacts } from './day-miles.ts'
import { type DayFacts, hoursOfDay, presentDay, type ShiftOfTruck, zoneAt } from './day-rules.ts'

interface DayQuery {
  /** Without a day, the one that the moment belongs to. */
  day: string | undefined
  at: number
  now: number
  /** For readers of some shifts only: other shifts do not decide what their day is. */
  isOwn?: ((shift: ShiftOfTruck) => boolean) | undefined
}

interface TruckDay {
  facts: DayFacts
  date: string
  zone: string
  hours: TimeRange
}

/** A day of a truck in the zone of its market, with its hours: those of a night shift belong to the day on which it began. */
export async function readTruckDay(db: Db, uid: string, { day, at, now, isOwn }: DayQuery): Promise<TruckDay> {
  const near = day ?? new Date(at).toISOString().slice(0, 10)
  const all = await dayFacts(db, uid, { first: near, last: near, now })
  const facts = isOwn ? { ...all, hours: [], shifts: all.shifts.filter(isOwn) } : all
  const date = day ?? presentDay(facts, at)
  const zone = facts.shifts.find((shift) => shift.date === date)?.zone ?? zoneAt(Date.parse(date) + DAY_MS / 2, facts)
  const { rows } = await sql<TimeRange>`
    select (extract(epoch from ${date}::date::timestamp at time zone ${zone}) * 1000)::float8 as "from",
           (extract(epoch from (${date}::date + 1)::timestamp at time zone ${zone}) * 1000)::float8 as "to"`.execute(db)
  const [midnights] = rows
  if (!midnights) throw new AppError('notFound')
  return { facts, date, zone, hours: hoursOfDay(date, midnights, facts.shifts) }
}
