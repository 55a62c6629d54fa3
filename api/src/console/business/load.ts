import {
  addDays,
  type BookedLine,
  BUSINESS_WEEKS,
  type BusinessFigures,
  type BusinessProgram,
  type BusinessWeek,
  daysOfMonth,
  localDay,
  workweekOf,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { issueDay } from '../../live/fleet/index.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { officeZone } from '../../platform/db/office-zone.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { deliveriesWithParts } from '../../proof/delivery/index.ts'
import { loadStarts } from '../charts/index.ts'
import { type Course, isOnPace, isRunning, segmentsOf, stateAfter, valueBetween } from './rules.ts'

type BookedProgram = Pick<BusinessProgram, 'program' | 'client'>

/** Programs with something booked between two days. Drafts are not booked. */
async function bookedPrograms(db: Db, from: string, to: string): Promise<BookedProgram[]> {
  const { rows } = await sql<BookedProgram>`
    select json_build_object('uid', p.uid, 'name', p.name) as program, json_build_object('uid', c.uid, 'name', c.name) as client
      from client_program p join client c on c.uid = p.client_uid
     where p.deleted_at is null and p.status <> 'draft'
       and exists (select from booked_line b where b.program_uid = p.uid and b.ends_on >= ${from} and b.starts_on <= ${to})
     order by p.name, p.uid`.execute(db)
  return rows
}

/** Trucks that went dark on a shift, by week. */
async function loadDark(db: Db, from: string, to: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ week: string; dark: number }>`
    select date_trunc('week', day)::date as week, count(*)::int as dark
      from (select ${issueDay} as day from truck_issue t
             where t.kind = 'noPlays' and t.deleted_at is null
               and t.opened_at >= ${from}::date - 1 and t.opened_at < ${to}::date + 2) found
     where day between ${from} and ${to} group by 1`.execute(db)
  return new Map(rows.map(({ week, dark }) => [week, dark]))
}

/** Shifts that started late or not at all, by week. */
async function loadLate(db: Db, scope: Scope, from: string, to: string): Promise<Map<string, number>> {
  const late = new Map<string, number>()
  for (const row of await loadStarts(db, scope, { from, to }))
    late.set(row.week, (late.get(row.week) ?? 0) + row.late + row.noShow)
  return late
}

const sumOf = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** How the business does: the value of this month, programs on pace, and twelve weeks of both. */
export async function loadBusiness(db: Db, scope: Scope): Promise<BusinessFigures> {
  const now = await sharedNow(db)
  const today = localDay(await officeZone(db), now)
  const month = today.slice(0, 7)
  const { first, last } = daysOfMonth(month)
  const thisWeek = workweekOf(today)
  const weeks = Array.from({ length: BUSINESS_WEEKS }, (_, index) =>
    addDays(thisWeek, 7 * (index + 1 - BUSINESS_WEEKS)),
  )
  const [start = thisWeek] = weeks
  const end = addDays(thisWeek, 6)

  const booked = await bookedPrograms(db, start, last > end ? last : end)
  const cuts = [addDays(start, -1), ...weeks.map((week) => addDays(week, 6)), addDays(first, -1), last]
  const { deliveries, parts } = await deliveriesWithParts(db, scope, {
    programUids: booked.map(({ program }) => program.uid),
    now,
    partsOf: (line) => segmentsOf(line, cuts),
  })
  const courseOf = (line: BookedLine): Course => ({
    line,
    delivered: (parts.get(line.uid) ?? []).map(({ to, delivered, deliveredSince, shiftsWithoutData }) => ({
      to,
      amount: delivered + deliveredSince,
      shiftsWithoutData,
    })),
  })
  const { behindPercent } = await readSettings(db)
  const [late, dark] = [await loadLate(db, scope, start, end), await loadDark(db, start, end)]

  const all = booked.flatMap(({ program, client }) => {
    const delivery = deliveries.get(program.uid)
    const own = delivery?.lines.map(({ line }) => courseOf(line)) ?? []
    return delivery ? { program, client, state: delivery.state, pace: delivery.pace, courses: own } : []
  })
  const courses = all.flatMap(({ courses: own }) => own)
  const statesOf = (week: string) =>
    week === thisWeek
      ? all.map(({ state }) => state)
      : all.map(({ courses: own }) => stateAfter(own, addDays(week, 6), behindPercent / 100))
  const ofWeeks = weeks.map((week): BusinessWeek => {
    const states = statesOf(week)
    return {
      week,
      ...valueBetween(courses, week, addDays(week, 6)),
      running: states.filter(isRunning).length,
      onPace: states.filter(isOnPace).length,
      late: late.get(week) ?? 0,
      dark: dark.get(week) ?? 0,
    }
  })
  const programs = all
    .map(({ courses: own, ...program }) => ({ ...program, ...valueBetween(own, first, last) }))
    .filter(({ state, bookedCents }) => isRunning(state) || bookedCents !== null)
  return {
    month,
    bookedCents: sumOf(programs.map(({ bookedCents }) => bookedCents)),
    deliveredCents: sumOf(programs.map(({ deliveredCents }) => deliveredCents)),
    running: programs.filter(({ state }) => isRunning(state)).length,
    onPace: programs.filter(({ state }) => isOnPace(state)).length,
    programs,
    weeks: ofWeeks,
  }
}
