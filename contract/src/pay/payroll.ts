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
import { removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { payFileCheck, payFileQuery } from './pay-files.ts'
import { FILLED_PAY_PERIOD, payPeriod, payPeriodRef, payPeriodState, paySpan, withinPayDays } from './pay-periods.ts'
import { payOption, shiftStatus } from '../planning/shifts.ts'

/** Reasons why the pay for a shift needs attention. */
export const payAnomalies = [
  'needsDecision',
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
  needsDecision: 'Needs a decision',
  noStart: 'No start',
  noStop: 'No stop',
  noGps: 'No GPS',
  farFromPlan: 'Far from the plan',
  overlap: 'Overlaps another shift',
  noRate: 'No rate',
  changedAfterApproval: 'Changed after approval',
  lateEvent: 'Reported after the lock',
}

/** A person's decision on a shift without evidence of work, or not to pay a shift. */
export const payDecisions = ['pay', 'doNotPay'] as const
export const payDecision = z.enum(payDecisions, 'Choose pay or doNotPay.')
export type PayDecision = z.infer<typeof payDecision>
export const payDecisionLabel: Record<PayDecision, string> = { pay: 'Pay', doNotPay: 'Do not pay' }

const cents = z.int()
const MAX_ADJUSTMENT = 10_000_000
const adjustmentCents = z
  .int('Must be an amount in whole cents.')
  .min(-MAX_ADJUSTMENT, 'At least −$100,000.')
  .max(MAX_ADJUSTMENT, 'At most $100,000.')
  .refine((given) => given !== 0, 'Must not be zero.')

/** The pay for a shift. */
export const payLine = z.strictObject({
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
  /** Null until it has started and ended. */
  actualMinutes: z.int().nullable(),
  /** Null without GPS data from the truck. */
  metres: z.number().nullable(),
  /** The share of the shift with GPS data, from 0 to 1; null without any. */
  coverage: z.number().nullable(),
  /** The option that the hours propose, and the reason in a sentence. */
  proposed: payOption,
  reason: z.string(),
  /** The option that the planner set on the shift. */
  planned: payOption.nullable(),
  /** The decision of payroll, which wins. `option` is null after a return to plan and proposal. */
  override: z
    .strictObject({
      option: payOption.nullable(),
      decision: payDecision.nullable(),
      note: z.string(),
      by: z.string(),
      at: instant,
      version,
    })
    .nullable(),
  /** The option that is paid; null if the shift is not paid. */
  option: payOption.nullable(),
  /** The first day of the rate for the shift's day, and its amount for the option. */
  rateFrom: day.nullable(),
  cents,
  /** Why it is not paid; empty if it is paid. */
  unpaid: z.string(),
  /** It is completed without evidence of work, and a person decides whether it is paid. `unpaid` has the reason. */
  needsDecision: z.boolean(),
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

const deletedAdjustment = payAdjustment.extend({ deletedAt: instant, deletedBy: z.string() })
export type DeletedAdjustment = z.infer<typeof deletedAdjustment>

/** A workweek with more hours than the overtime limit. */
const overtimeWeek = z.strictObject({
  from: day,
  to: day,
  minutes: z.int(),
  /** The part of the minutes that are planned hours, because actual hours are unknown. */
  plannedMinutes: z.int(),
  overtimeMinutes: z.int(),
  /** The day rates of the week. */
  cents,
  /** Half the regular rate for the hours over: 29 CFR 778.112. */
  owedCents: cents,
  /** It is part of the total, by the settings when the period was approved; otherwise it is for information. */
  isPaid: z.boolean(),
})
export type OvertimeWeek = z.infer<typeof overtimeWeek>

const figures = {
  /** Paid shifts by option. */
  halfDay: z.int(),
  eightHours: z.int(),
  twelveHours: z.int(),
  /** Shifts that are not paid: not completed, canceled, no-show, undecided. */
  unpaid: z.int(),
  /** The part of them that needs a decision. */
  undecided: z.int(),
  /** Of the paid shifts. */
  plannedMinutes: z.int(),
  /** Of the paid shifts, as far as they are known. */
  actualMinutes: z.int(),
  /** Of the paid shifts, as far as there is GPS or odometer data. */
  metres: z.number(),
  shiftCents: cents,
  adjustmentCents: cents,
  /** Overtime owed that is part of the total. */
  paidOvertimeCents: cents,
  /** The sum of the three. */
  cents,
  /** Shifts that need attention. */
  anomalies: z.int(),
  /** Overtime owed for workweeks that end in the period, part of the total or not. */
  overtimeMinutes: z.int(),
  overtimeCents: cents,
}

const driver = namedRef.extend({ payrollId: z.string() })

const payRow = z.strictObject({ driver, ...figures })
export type PayRow = z.infer<typeof payRow>

const payTotals = z.strictObject({ drivers: z.int(), ...figures })
export type PayTotals = z.infer<typeof payTotals>

const beside = {
  /** The period of exactly these days, if it was ever approved. */
  period: payPeriodRef.nullable(),
  /** Every approved or locked period that overlaps these days. */
  periods: z.array(payPeriodRef),
}

/** The shifts with an anomaly, by its kind. */
const anomalyCount = z.strictObject({ kind: payAnomaly, shifts: z.int(), drivers: z.int() })
export type AnomalyCount = z.infer<typeof anomalyCount>

const statement = z.strictObject({
  ...beside,
  from: day,
  to: day,
  driver,
  figures: z.strictObject(figures),
  lines: z.array(payLine),
  adjustments: z.array(payAdjustment),
  /** For the office: adjustments that were deleted, and by whom. */
  deletedAdjustments: z.array(deletedAdjustment),
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
    follows: ['payroll'],
    fromReplica: true,
    access: view,
    ownRows: 'records',
    summary:
      'Lists the pay of each driver between two local days, the current pay period’s by default, searchable by name and payroll ID. Drivers see their own.',
    query: withinPayDays(
      listQuery(['name', 'cents', 'shifts', 'actualMinutes', 'anomalies', 'overtimeCents'], {
        ...paySpan,
        driver: anyOf(uid).optional(),
        anomaly: anyOf(payAnomaly).optional(),
        only: anyOf(
          z.enum(['undecided', 'anomalies', 'overtime'], 'Choose undecided, anomalies or overtime.'),
        ).optional(),
      }),
    ),
    filledIn: FILLED_PAY_PERIOD,
    reply: page(payRow).extend({
      ...beside,
      /** The totals of all drivers whom the caller may see, regardless of search and filters. */
      totals: payTotals,
      /** The anomalies of all of them, by kind. */
      anomalyKinds: z.array(anomalyCount),
    }),
  }),

  // Added calls.
  statement: endpoint({
    method: 'GET',
    path: 'payroll/statement',
    follows: ['payroll'],
    fromReplica: true,
    access: view,
    ownRows: 'records',
    summary:
      'Returns each shift, adjustment and overtime week of one driver between two days, as JSON or with format as a file. Drivers get their own.',
    added: true,
    query: withinPayDays(
      z.strictObject({
        ...paySpan,
        driver: uid.optional(),
        format: z.enum(['csv', 'xlsx', 'pdf'], 'Must be csv, xlsx or pdf.').optional(),
      }),
    ),
    filledIn: FILLED_PAY_PERIOD,
    reply: one(statement),
  }),
  override: endpoint({
    method: 'PUT',
    path: 'payroll/override',
    access: edit,
    summary:
      'Decides whether a completed shift is paid and sets its pay option, or returns to plan and proposal. An old version answers 409, as does a closed pay period.',
    added: true,
    body: z.strictObject({
      shiftUid: uid,
      /** The version of the current override; null without one. */
      version: version.nullable(),
      option: payOption.nullable(),
      /** Without one, setting an option pays the shift. */
      decision: payDecision.nullable().prefault(null),
      note: requiredLine(300),
    }),
    reply: one(payLine),
  }),
  adjust: endpoint({
    method: 'POST',
    path: 'payroll/adjustments/',
    access: edit,
    summary: 'Adds an adjustment on a day of an open period; it may name the shift that it corrects.',
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
  removeAdjustment: removeEndpoint({
    path: 'payroll/adjustments',
    access: edit,
    added: true,
    summary: 'Deletes an adjustment of an open period.',
  }),
  restoreAdjustment: restoreEndpoint({ path: 'payroll/adjustments', access: edit }),
  periods: endpoint({
    method: 'GET',
    path: 'payroll/periods/run',
    follows: ['payroll'],
    fromReplica: true,
    access: viewAll,
    summary: 'Lists pay periods that were ever approved, newest first, searchable by days, state and reason.',
    added: true,
    query: listQuery(['from', 'updatedAt'], { state: anyOf(payPeriodState).optional() }).omit({ format: true }),
    reply: page(payPeriod),
  }),
  approve: endpoint({
    method: 'POST',
    path: 'payroll/periods/approve',
    access: edit,
    keys: false,
    summary:
      'Approves a period of the pay calendar that is over and freezes the pay for its shifts. Days out of step with the calendar answer 409, as do days of another approved or locked period, shifts that need a decision and a total that differs from the one seen.',
    added: true,
    body: withinPayDays(
      z.strictObject({
        ...paySpan,
        /** The total that the user saw: later changes are not approved unseen. */
        cents: z.int('Must be an amount in whole cents.'),
      }),
    ),
    reply: one(payPeriod),
  }),
  move: endpoint({
    method: 'PUT',
    path: 'payroll/periods/state',
    access: edit,
    keys: false,
    summary:
      'Locks an approved period, opens it again, or unlocks a locked one with a reason. An old version answers 409.',
    added: true,
    body: z.strictObject({ uid, version, state: payPeriodState, reason: textLine(300).prefault('') }),
    reply: one(payPeriod),
  }),
  checkFile: endpoint({
    method: 'GET',
    path: 'payroll/file/check',
    follows: ['payroll'],
    fromReplica: true,
    isExport: true,
    access: viewAll,
    summary: 'Returns the control totals of a file for a payroll program, and the problems that prevent it.',
    added: true,
    query: payFileQuery,
    reply: one(payFileCheck),
  }),
  file: endpoint({
    method: 'GET',
    path: 'payroll/file',
    fromReplica: true,
    isExport: true,
    access: viewAll,
    summary: 'Returns an approved or locked period as a file for ADP, Gusto or QuickBooks.',
    added: true,
    query: payFileQuery,
    reply: z.unknown(),
  }),
  history: historyEndpoint('payroll/periods', viewAll),
}
