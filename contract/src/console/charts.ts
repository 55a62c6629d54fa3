import * as z from '../platform/zod.ts'
import { anyOf, day, exportFormat, namedRef, one, timeZone, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { daysBetween } from '../planning/shift-time.ts'
import { playFigures } from '../proof/ad-log.ts'

/** The most weeks of one chart: a year, whatever day it begins on. */
export const MAX_CHART_WEEKS = 53
/** The weeks of a chart without days: this one and those before it. */
export const CHART_WEEKS = 8

const counted = z.int().min(0)
const minutes = z.int().min(0)

/** A week of a chart, named by its Monday. The first and the last one may be cut off by the days of the query. */
const week = { week: day }

const utilizationRow = z.strictObject({
  market: namedRef,
  ...week,
  /** Shifts that are planned, out or completed. */
  shifts: counted,
  /** Truck-days with a shift that is out or completed. */
  driven: counted,
  /** Truck-days with planned shifts only. */
  booked: counted,
  /** Truck-days with a shift of any program, and those of active trucks at home in the market without one. */
  available: counted,
})
export type UtilizationRow = z.infer<typeof utilizationRow>

const driverHoursRow = z.strictObject({
  driver: namedRef,
  ...week,
  shifts: counted,
  /** Actual minutes of shifts that have ended. */
  workedMinutes: minutes,
  /** Planned minutes of the other shifts. */
  plannedMinutes: minutes,
})
export type DriverHoursRow = z.infer<typeof driverHoursRow>

const startsRow = z.strictObject({
  market: namedRef,
  ...week,
  onTime: counted,
  late: counted,
  noShow: counted,
  /** Due shifts without a reported start: neither late nor on time. */
  noData: counted,
})
export type StartsRow = z.infer<typeof startsRow>

const hourRow = playFigures.extend({
  /** From 0 to 23, as the clocks of each market show it. */
  hour: z.int().min(0).max(23),
})
export type PlayHourRow = z.infer<typeof hourRow>

const chartQuery = z
  .strictObject({
    from: day,
    to: day,
    market: anyOf(uid).optional(),
    client: anyOf(uid).optional(),
    program: anyOf(uid).optional(),
    format: exportFormat.optional(),
    timeZone: timeZone.optional(),
  })
  .refine(({ from, to }) => from <= to && daysBetween(from, to) < MAX_CHART_WEEKS * 7, {
    path: ['to'],
    error: `Must be at most ${MAX_CHART_WEEKS} weeks after the first day, and not before it.`,
  })

const filledIn = {
  from: `the Monday ${CHART_WEEKS - 1} weeks before the last day`,
  to: 'Sunday of this week',
}

// Figures of the whole fleet: a client or a driver would read others' numbers in them.
const ofSchedule = { module: ['schedule', 'clients'], needs: 'view', reach: 'all' } as const
const ofPlays = { module: 'overview', needs: 'view', reach: 'all' } as const

export const charts = {
  utilization: endpoint({
    method: 'GET',
    path: 'charts/utilization',
    follows: [],
    fromReplica: true,
    access: ofSchedule,
    summary: 'Truck-days with shifts and available truck-days by market and week, for staff; as a file, too.',
    added: true,
    query: chartQuery,
    filledIn,
    reply: one(z.array(utilizationRow)),
  }),
  driverHours: endpoint({
    method: 'GET',
    path: 'charts/driver-hours',
    follows: [],
    fromReplica: true,
    access: ofSchedule,
    summary: 'Worked and planned hours by driver and week, for staff; as a file, too.',
    added: true,
    query: chartQuery,
    filledIn,
    reply: one(z.array(driverHoursRow)),
  }),
  starts: endpoint({
    method: 'GET',
    path: 'charts/on-time-starts',
    follows: [],
    fromReplica: true,
    access: ofSchedule,
    summary: 'Shifts by how they started, by market and week, for staff; as a file, too.',
    added: true,
    query: chartQuery,
    filledIn,
    reply: one(z.array(startsRow)),
  }),
  plays: endpoint({
    method: 'GET',
    path: 'charts/plays-by-hour',
    follows: [],
    fromReplica: true,
    access: ofPlays,
    summary: 'Plays by hour of day on the clocks of each market, for staff; as a file, too.',
    added: true,
    query: chartQuery,
    filledIn,
    reply: one(z.array(hourRow)),
  }),
}
