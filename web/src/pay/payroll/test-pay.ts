import { payPeriodOn } from '@roadshow/contract/pay/pay-calendar'
import type { PayDays } from '@roadshow/contract/pay/pay-calendar'
import type { PayPeriod } from '@roadshow/contract/pay/pay-periods'
import type { PayAdjustment, PayLine } from '@roadshow/contract/pay/payroll'
import { payReview } from '@roadshow/contract/pay/pay-review'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { localZone } from '@roadshow/contract/platform/dates'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

export const payWeek = { from: '2026-07-06', to: '2026-07-12' }
export const danaDriver = { uid: testUid(201), name: 'Dana Reyes', payrollId: '000042' }

export const aPayLine: PayLine = {
  uid: testUid(1),
  date: '2026-07-08',
  start: '20:00',
  end: '04:00',
  zone: 'America/Chicago',
  truck: 'T-1',
  program: 'Summer',
  market: 'Dallas',
  status: 'completed',
  startedAt: '2026-07-09T01:02:00.000Z',
  stoppedAt: '2026-07-09T09:32:00.000Z',
  plannedMinutes: 480,
  actualMinutes: 510,
  metres: 80_000,
  coverage: 0.9,
  proposed: 'twelveHours',
  reason: 'Planned 8 h, worked 8 h 30 min; the longer counts. More than 8 h counts as a 12-hour day.',
  planned: 'eightHours',
  override: null,
  option: 'eightHours',
  rateFrom: '2026-01-01',
  cents: 18_050,
  unpaid: '',
  needsDecision: false,
  anomalies: [{ kind: 'farFromPlan', text: 'Worked 8 h 30 min, planned 8 h.' }],
  period: null,
}
export const anAdjustment: PayAdjustment = {
  uid: testUid(31),
  driver: danaDriver,
  date: '2026-07-10',
  cents: -2_000,
  note: 'Advance',
  shift: null,
  by: 'Avery Stone',
  createdAt: '2026-07-10T12:00:00.000Z',
  version: 1,
}
export const payFigures = {
  halfDay: 0,
  eightHours: 1,
  twelveHours: 0,
  unpaid: 0,
  undecided: 0,
  plannedMinutes: 480,
  actualMinutes: 510,
  metres: 80_000,
  shiftCents: 18050,
  adjustmentCents: -2e3,
  cents: 16050,
  anomalies: 1,
  overtimeMinutes: 720,
  overtimeCents: 2083,
  paidOvertimeCents: 0,
}
export const aPayWeek = {
  ...payWeek,
  minutes: 3120,
  plannedMinutes: 0,
  overtimeMinutes: 720,
  cents: 18050,
  owedCents: 2083,
  isPaid: false,
}

export const aPayPeriod = (state: PayPeriod['state'], version = 1): PayPeriod => ({
  uid: testUid(41),
  ...payWeek,
  state,
  version,
  reason: '',
  drivers: 1,
  shifts: 1,
  cents: 16050,
  approvedAt: null,
  lockedAt: null,
  createdAt: '2026-07-13T12:00:00.000Z',
  updatedAt: '2026-07-13T12:00:00.000Z',
})
export const refOfPayPeriod = ({ uid, from, to, state, version }: PayPeriod) => ({ uid, from, to, state, version })

/** The weekly pay calendar as the server answers it; nothing else waits for work. */
export const answerCalendar = (api: FakeApi, oldest: PayDays | null = null): void =>
  api.answer(payReview.calendar, ({ query }) => {
    const today = localDay(localZone())
    const periodOn = (date: string) => payPeriodOn({ payCalendar: 'weekly', payCalendarFrom: null }, date)
    const current = periodOn(today)
    const date = query.get('date')
    const shown = date ? periodOn(date) : (oldest ?? current)
    const [previous, next] = [periodOn(addDays(shown.from, -1)), periodOn(addDays(shown.to, 1))]
    return { data: { payCalendar: 'weekly' as const, ...shown, previous, next, current, oldest, today } }
  })
