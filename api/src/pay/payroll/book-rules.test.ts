import type { PayLine, PayPeriodRef } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { countAnomalies, type CurrentLine, settleLines, sumPay, totalPay } from './book-rules.ts'
import type { FrozenLine } from './facts.ts'

const aLine: PayLine = {
  uid: 'one',
  date: '2024-08-06',
  start: '08:00',
  end: '16:00',
  zone: 'America/Chicago',
  truck: 'T-1',
  program: 'Summer',
  market: 'Dallas',
  status: 'completed',
  startedAt: null,
  stoppedAt: null,
  plannedMinutes: 480,
  actualMinutes: 480,
  metres: null,
  coverage: null,
  proposed: 'eightHours',
  reason: '',
  planned: null,
  override: null,
  option: 'eightHours',
  rateFrom: '2024-01-01',
  cents: 18_000,
  unpaid: '',
  needsDecision: false,
  anomalies: [],
  period: null,
}
const period: PayPeriodRef = { uid: 'week', from: '2024-08-05', to: '2024-08-11', state: 'approved', version: 1 }
const closed = [{ ...period, overtimeAfterHours: 40, paysOvertime: false }]
const current = (given: Partial<PayLine> = {}, more: Partial<CurrentLine> = {}): CurrentLine => ({
  driverUid: 'ann',
  line: { ...aLine, ...given },
  frozenIn: null,
  ...more,
})
const frozen = (given: Partial<PayLine> = {}, late: string | null = null): FrozenLine => {
  const line = { ...aLine, ...given }
  return { shiftUid: line.uid, driverUid: 'ann', line, period, late }
}
const texts = (line: PayLine | undefined) => line?.anomalies.map(({ kind, text }) => `${kind}: ${text}`)

test('a line of an open period is paid as it is now', () => {
  expect(settleLines([current()], [], []).map(({ line }) => [line.cents, line.period])).toEqual([[18_000, null]])
})

test.each<[string, CurrentLine | undefined, string[]]>([
  ['nothing changed', current(), []],
  [
    'it was deleted',
    undefined,
    ['changedAfterApproval: The shift was deleted or moved to another day after approval.'],
  ],
  [
    'it has another driver',
    current({}, { driverUid: 'ben' }),
    ['changedAfterApproval: The shift has another driver now.'],
  ],
  ['it is not completed', current({ status: 'out' }), ['changedAfterApproval: The status is out now.']],
  ['its rate changed', current({ cents: 1 }), ['changedAfterApproval: It would be paid at another rate now.']],
  [
    'its hours changed',
    current({ actualMinutes: null }),
    ['changedAfterApproval: The actual hours were 8 h and are unknown now.'],
  ],
])('a frozen line stays as it was when %s, and says so', (_, now, changes) => {
  const [settled] = settleLines(now ? [now] : [], [frozen()], closed)
  expect([settled?.driverUid, settled?.line.cents, settled?.line.period]).toEqual(['ann', 18_000, period])
  expect(texts(settled?.line)).toEqual(changes)
})

test('an event after the lock is noted on the frozen line', () => {
  const [settled] = settleLines([current()], [frozen({}, 'stop at Aug 6, 2024, 4:00 PM')], closed)
  expect(texts(settled?.line)).toEqual(['lateEvent: Reported after the lock: stop at Aug 6, 2024, 4:00 PM.'])
})

test('no shift is paid twice', () => {
  const [late] = settleLines([current()], [], closed)
  expect(late?.line).toMatchObject({ cents: 0, option: null, unpaid: 'Added to the pay period after it was approved.' })
  const [moved] = settleLines([current({ date: '2024-08-20' }, { frozenIn: period })], [], closed)
  expect(moved?.line).toMatchObject({
    cents: 0,
    unpaid: 'Already settled in the pay period Aug 5, 2024 – Aug 11, 2024.',
    anomalies: [],
  })
})

test('a shift that is settled elsewhere needs no decision any more, and keeps what else is said of it', () => {
  const anomalies = (['needsDecision', 'noRate'] as const).map((kind) => ({ kind, text: kind }))
  const [moved] = settleLines([current({ anomalies, needsDecision: true }, { frozenIn: period })], [], closed)
  expect(moved?.line.needsDecision).toBe(false)
  expect(texts(moved?.line)).toEqual(['noRate: noRate'])
})

test('lines are in the order of their days and starts', () => {
  const lines = [
    current({ uid: 'b', date: '2024-08-20' }),
    current({ uid: 'c', date: '2024-08-19', start: '09:00' }),
    current({ uid: 'a', date: '2024-08-19' }),
  ]
  expect(settleLines(lines, [], []).map(({ line }) => line.uid)).toEqual(['a', 'c', 'b'])
})

test('figures count paid shifts by option, and totals add up drivers', () => {
  const unpaid = { ...aLine, option: null, cents: 0, unpaid: 'Not completed yet.' }
  const half: PayLine = { ...aLine, option: 'halfDay', cents: 10_000, anomalies: [{ kind: 'noGps', text: '' }] }
  const figures = sumPay([aLine, half, unpaid], [], [])
  expect(figures).toMatchObject({ halfDay: 1, eightHours: 1, twelveHours: 0, unpaid: 1, anomalies: 1, cents: 28_000 })
  expect(countAnomalies([{ lines: [aLine, half, unpaid] }, { lines: [half, half] }, { lines: [aLine] }])).toEqual([
    { kind: 'noGps', shifts: 3, drivers: 2 },
  ])
  expect(totalPay([figures, figures])).toMatchObject({ drivers: 2, unpaid: 2, plannedMinutes: 1920, cents: 56_000 })
})

test('overtime is owed in any case, and part of the pay only where the period pays it', () => {
  const week = {
    from: '2024-08-05',
    to: '2024-08-11',
    minutes: 2700,
    plannedMinutes: 0,
    overtimeMinutes: 300,
    cents: 90_000,
  }
  const weeks = [
    { ...week, owedCents: 5000, isPaid: true },
    { ...week, owedCents: 700, isPaid: false },
  ]
  expect(sumPay([aLine], [], weeks)).toMatchObject({
    overtimeCents: 5700,
    paidOvertimeCents: 5000,
    overtimeMinutes: 600,
    cents: 23_000,
  })
})
