import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  textLine,
  listQuery,
  namedRef,
  one,
  page,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { payFileCheck, payFileQuery } from './pay-files.ts'
import { payPeriod, payPeriodRef, payPeriodState, paySpan, withinPayDays } from './pay-periods.ts'
import { addDays } from '../planning/shift-time.ts'
import { payOption, shiftStatus } from '../planning/shifts.ts'

/** The Monday with which a day's workweek begins: weeks begin on Mondays everywhere in this product. */
export const workweekOf = (date: string): string =>
  addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7))

/** What looks wrong with a shift's pay. */
export const payAnomalies = [
  'noStart',
  'noStop',
  'noGps',
  'farFromPlan',
  'overlap',
  'noRate',
  'changedAfterApproval',
  'lateEvent',
] as const
const payAnomaly = z.enum(payAnomalies)
export type PayAnomaly = z.infer<typeof payAnomaly>
export const payAnomalyLabel: Record<PayAnomaly, string> = {
  noStart: 'No start',
  noStop: 'No stop',
  noGps: 'No GPS',
  farFromPlan: 'Far from the plan',
  overlap: 'Overlaps another shift',
  noRate: 'No rate',
  changedAfterApproval: 'Changed after approval',
  lateEvent: 'Reported after the lock',
}

const cents = z.int()
const MAX_ADJUSTMENT = 10_000_000
const adjustmentCents = z
  .int('Must be an amount in whole cents.')
  .min(-MAX_ADJUSTMENT, 'At least −$100,000.')
  .max(MAX_ADJUSTMENT, 'At most $100,000.')
  .refine((given) => given !== 0, 'Must not be zero.')

/** Whether and how much a shift is paid. */
const payLine = z.strictObject({
  /** Of the shift. */
  uid,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  truck: z.string(),
  program: z.string(),
  market: z.string(),
  status: shiftStatus,
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  plannedMinutes: z.int(),
  /** Null until it has begun and ended. */
  actualMinutes: z.int().nullable(),
  /** Null while nothing was heard of its truck. */
  metres: z.number().nullable(),
  /** Which share of the shift the truck was heard in, from 0 to 1; null while nothing was heard of it. */
  coverage: z.number().nullable(),
  /** What the hours propose, and why in a sentence. */
  proposed: payOption,
  reason: z.string(),
  /** What the planner fixed on the shift. */
  planned: payOption.nullable(),
  /** The last word of payroll. `option` is null where somebody went back to what plan or hours say. */
  override: z
    .strictObject({ option: payOption.nullable(), note: z.string(), by: z.string(), at: instant, version })
    .nullable(),
  /** The option that counts; null for what is not paid. */
  option: payOption.nullable(),
  /** The first day of the rate that is valid on the shift's day, and its cents for the option that counts. */
  rateFrom: day.nullable(),
  cents,
  /** Why it is not paid; empty where it is. */
  unpaid: z.string(),
  anomalies: z.array(z.strictObject({ kind: payAnomaly, text: z.string() })),
  /** The period that froze it; null while it can still change. */
  period: payPeriodRef.nullable(),
})
export type PayLine = z.infer<typeof payLine>

const payAdjustment = z.strictObject({
  uid,
  driver: namedRef,
  date: day,
  cents,
  note: z.string(),
  /** The shift that it corrects, such as one of a locked period. */
  shift: z.strictObject({ uid, date: day, start: z.string(), truck: z.string(), program: z.string() }).nullable(),
  by: z.string(),
  createdAt: instant,
  version,
})
export type PayAdjustment = z.infer<typeof payAdjustment>

/** A workweek with more hours than the settings allow at the plain rate. Information, not part of any total. */
const overtimeWeek = z.strictObject({
  from: day,
  to: day,
  minutes: z.int(),
  /** The part of them for which nobody said when the shift began or ended: its planned hours count. */
  plannedMinutes: z.int(),
  overtimeMinutes: z.int(),
  /** All day rates of the week. */
  cents,
  /** Half the regular rate for the hours over: 29 CFR 778.112. */
  owedCents: cents,
})
export type OvertimeWeek = z.infer<typeof overtimeWeek>

const figures = {
  /** Paid shifts by option. */
  halfDay: z.int(),
  eightHours: z.int(),
  twelveHours: z.int(),
  /** Shifts that are not paid: not completed, cancelled, nobody came. */
  unpaid: z.int(),
  /** Of the paid shifts. */
  plannedMinutes: z.int(),
  /** Of the paid shifts, as far as they are known. */
  actualMinutes: z.int(),
  shiftCents: cents,
  adjustmentCents: cents,
  /** The sum of the two. */
  cents,
  /** Shifts with anything that looks wrong. */
  anomalies: z.int(),
  /** Owed beside, as information; of the workweeks that end in the period. */
  overtimeMinutes: z.int(),
  overtimeCents: cents,
}

const driver = namedRef.extend({ payrollId: z.string() })

const payRow = z.strictObject({ driver, ...figures })
export type PayRow = z.infer<typeof payRow>

const payTotals = z.strictObject({ drivers: z.int(), ...figures })
export type PayTotals = z.infer<typeof payTotals>

const beside = {
  /** The period with exactly these days, if anybody ever approved it. */
  period: payPeriodRef.nullable(),
  /** Every approved or locked period that has days in common with these. */
  periods: z.array(payPeriodRef),
}

const statement = z.strictObject({
  ...beside,
  from: day,
  to: day,
  driver,
  figures: z.strictObject(figures),
  lines: z.array(payLine),
  adjustments: z.array(payAdjustment),
  weeks: z.array(overtimeWeek),
})
export type PayStatement = z.infer<typeof statement>

const view = { module: 'payroll', needs: 'view' } as const
const viewAll = { module: 'payroll', needs: 'view', reach: 'all' } as const
const edit = { module: 'payroll', needs: 'edit', reach: 'all' } as const

export const payroll = {
  list: endpoint({
    method: 'GET',
    path: 'payroll/run',
    access: view,
    summary:
      'What each driver earned between two local days, searched in name and payroll id. A driver sees their own.',
    query: withinPayDays(
      listQuery(['name', 'cents', 'shifts', 'actualMinutes', 'anomalies', 'overtimeCents'], {
        ...paySpan,
        driver: anyOf(uid).optional(),
        only: anyOf(z.enum(['anomalies', 'overtime'], 'Choose anomalies or overtime.')).optional(),
      }),
    ),
    reply: page(payRow).extend({
      ...beside,
      /** Of everybody whom the caller may see, whatever is searched or filtered. */
      totals: payTotals,
    }),
  }),

  // Added calls.
  statement: endpoint({
    method: 'GET',
    path: 'payroll/statement',
    access: view,
    summary:
      'Each shift, adjustment and overtime week of one driver between two days: JSON, or with format a file. A driver gets their own.',
    added: true,
    query: withinPayDays(
      z.strictObject({
        ...paySpan,
        driver: uid.optional(),
        format: z.enum(['csv', 'xlsx', 'pdf'], 'Must be csv, xlsx or pdf.').optional(),
      }),
    ),
    reply: one(statement),
  }),
  override: endpoint({
    method: 'PUT',
    path: 'payroll/override',
    access: edit,
    summary: 'Sets the pay option of a shift, or goes back to plan and proposal. An old version answers 409.',
    added: true,
    body: z.strictObject({
      shiftUid: uid,
      /** Of the override that is there; null where there is none. */
      version: version.nullable(),
      option: payOption.nullable(),
      note: requiredLine(300),
    }),
    reply: one(payLine),
  }),
  adjust: endpoint({
    method: 'POST',
    path: 'payroll/adjustments/',
    access: edit,
    summary: 'Adds or takes off an amount on a day of an open period; it may name the shift that it corrects.',
    added: true,
    body: z.strictObject({
      driverUid: z.uuid('Choose a driver.'),
      date: day,
      cents: adjustmentCents,
      note: requiredLine(300),
      shiftUid: uid.nullable().prefault(null),
    }),
    reply: one(payAdjustment),
  }),
  removeAdjustment: endpoint({
    method: 'DELETE',
    path: 'payroll/adjustments/{uid}',
    access: edit,
    summary: 'Deletes an adjustment of an open period.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
  periods: endpoint({
    method: 'GET',
    path: 'payroll/periods/run',
    access: viewAll,
    summary: 'Periods that were ever approved, the newest first, searched in days, state and reason.',
    added: true,
    query: listQuery(['from', 'updatedAt'], { state: anyOf(payPeriodState).optional() }).omit({ format: true }),
    reply: page(payPeriod),
  }),
  approve: endpoint({
    method: 'POST',
    path: 'payroll/periods/approve',
    access: edit,
    summary:
      'Freezes what is paid for the shifts of a period that is over. Days of another approved or locked period answer 409, as does another total than was seen.',
    added: true,
    body: withinPayDays(
      z.strictObject({
        ...paySpan,
        /** The total of everybody that was seen: what changed meanwhile is not approved unseen. */
        cents: z.int('Must be an amount in whole cents.'),
      }),
    ),
    reply: one(payPeriod),
  }),
  move: endpoint({
    method: 'PUT',
    path: 'payroll/periods/state',
    access: edit,
    summary:
      'Locks an approved period, opens it again, or unlocks a locked one with a reason. An old version answers 409.',
    added: true,
    body: z.strictObject({ uid, version, state: payPeriodState, reason: textLine(300).prefault('') }),
    reply: one(payPeriod),
  }),
  checkFile: endpoint({
    method: 'GET',
    path: 'payroll/file/check',
    isExport: true,
    access: viewAll,
    summary: 'What a file for another program would hold: control totals, and what keeps it from being made.',
    added: true,
    query: payFileQuery,
    reply: one(payFileCheck),
  }),
  file: endpoint({
    method: 'GET',
    path: 'payroll/file',
    isExport: true,
    access: viewAll,
    summary: 'An approved or locked period as a file for ADP, Gusto or QuickBooks.',
    added: true,
    query: payFileQuery,
    reply: z.unknown(),
  }),
  history: historyEndpoint('payroll/periods', viewAll),
}
