import type { PayLine, PayRate } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { payFor, overlappingShifts, overtimeWeeks, proposeOption, rateOn, type PayShiftFacts } from './rules.ts'

const limits = { halfDayUpToHours: 5, eightHoursUpToHours: 9 }
const after40 = () => 40

describe('the proposed option', () => {
  test('takes the longer of planned and actual hours; a limit itself still belongs to the lower option', () => {
    const options = (
      [
        [300, 300, 'halfDay'],
        [300, 301, 'eightHours'],
        [301, 200, 'eightHours'],
        [540, 540, 'eightHours'],
        [480, 541, 'twelveHours'],
        [300, null, 'halfDay'],
        [780, 100, 'twelveHours'],
      ] as const
    ).map(([planned, actual, option]) => [proposeOption(planned, actual, limits)[0], option])
    for (const [proposed, option] of options) expect(proposed).toBe(option)
  })

  test('says why', () => {
    expect(proposeOption(480, 510, limits)[1]).toBe(
      'Planned 8 h, worked 8 h 30 min; the longer counts. Up to 9 h counts as an 8-hour day.',
    )
    expect(proposeOption(720, null, limits)[1]).toBe(
      'Planned 12 h; actual hours are unknown, so the plan counts. More than 9 h counts as a 12-hour day.',
    )
  })
})

test('a rate is valid from its day on until the next one’s, whatever their order', () => {
  const rate = (validFrom: string, cents: number): PayRate => ({
    validFrom,
    payHalfDay: cents,
    payEightHours: cents,
    payTwelveHours: cents,
  })
  const rates = [rate('2024-07-04', 2), rate('2024-01-01', 1), rate('2024-09-01', 3)]
  const days = ['2023-12-31', '2024-01-01', '2024-07-03', '2024-07-04', '2024-08-31', '2024-09-01']
  expect(days.map((day) => rateOn(rates, day)?.payHalfDay)).toEqual([undefined, 1, 1, 2, 2, 3])
})

const aShift: PayShiftFacts = {
  uid: 'one',
  driverUid: 'ann',
  date: '2024-07-01',
  start: '08:00',
  end: '16:00',
  zone: 'America/Chicago',
  truck: 'T-1',
  program: 'Summer',
  market: 'Dallas',
  status: 'completed',
  statusReason: '',
  startsAt: '2024-07-01T13:00:00Z',
  endsAt: '2024-07-01T21:00:00Z',
  startedAt: '2024-07-01T13:00:00Z',
  stoppedAt: '2024-07-01T21:00:00Z',
  plannedMinutes: 480,
  actualMinutes: 480,
  metres: 100_000,
  coverage: 0.9,
  planned: null,
  override: null,
}
const rates: PayRate[] = [
  { validFrom: '2024-01-01', payHalfDay: 10_000, payEightHours: 18_000, payTwelveHours: 26_000 },
]
const pay = (given: Partial<PayShiftFacts>, more: { rates?: PayRate[]; overlaps?: boolean } = {}) =>
  payFor({ ...aShift, ...given }, { rates, limits, overlaps: false, now: Date.parse('2024-07-10T00:00:00Z'), ...more })
const kinds = ({ anomalies }: PayLine) => anomalies.map(({ kind }) => kind)

describe('evidence of work', () => {
  const noTimes = { startedAt: null, stoppedAt: null, actualMinutes: null }
  const noGps = { coverage: null, metres: null }
  test.each<[string, Partial<PayShiftFacts>, string]>([
    ['a whole shift', {}, ''],
    ['no start and no stop', noTimes, 'Needs a decision: Neither a start nor a stop was recorded.'],
    ['no start', { startedAt: null, actualMinutes: null }, 'Needs a decision: No start was recorded.'],
    ['no stop', { stoppedAt: null, actualMinutes: null }, 'Needs a decision: No stop was recorded.'],
    ['a quarter of the hours, without GPS', { actualMinutes: 120, ...noGps }, ''],
    [
      'a minute less',
      { actualMinutes: 119, ...noGps },
      'Needs a decision: Only 1 h 59 min of 8 h worked, and no GPS data.',
    ],
    ['a minute less, with GPS', { actualMinutes: 119 }, ''],
    ['the whole shift without GPS', noGps, ''],
    ['a shift that is not completed', { status: 'planned', ...noTimes }, 'Not completed yet.'],
  ])('%s', (_, given, unpaid) => {
    const line = pay(given)
    expect([line.unpaid, line.needsDecision]).toEqual([unpaid, unpaid.startsWith('Needs')])
    expect(line.cents).toBe(unpaid === '' ? 18_000 : 0)
  })

  test('or a person decides, with a note', () => {
    const override = { option: null, decision: null, note: 'Seen on site', by: 'Avery', at: '', version: 1 }
    const decided = (given: object) => {
      const { unpaid, cents, needsDecision, option } = pay({ ...noTimes, override: { ...override, ...given } })
      return [unpaid, cents, needsDecision, option]
    }
    expect(decided({ decision: 'pay' })).toEqual(['', 18_000, false, 'eightHours'])
    expect(decided({ decision: 'pay', option: 'halfDay' })).toEqual(['', 10_000, false, 'halfDay'])
    expect(decided({ option: 'halfDay' })).toEqual(['', 10_000, false, 'halfDay'])
    expect(decided({ decision: 'doNotPay' })).toEqual(['Not paid, decided by Avery.', 0, false, null])
    expect(decided({})[2]).toBe(true)
    expect(pay({ override: { ...override, decision: 'doNotPay' } }).cents).toBe(0)
  })
})

describe('a line', () => {
  test('counts an override before the plan, and the plan before the proposal', () => {
    const override = {
      option: 'twelveHours' as const,
      decision: null,
      note: 'Far away',
      by: 'An admin',
      at: '',
      version: 1,
    }
    const lines = [
      pay({}),
      pay({ planned: 'halfDay' }),
      pay({ planned: 'halfDay', override }),
      pay({ planned: 'halfDay', override: { ...override, option: null } }),
    ]
    expect(lines.map(({ option, proposed, cents }) => [option, proposed, cents])).toEqual([
      ['eightHours', 'eightHours', 18_000],
      ['halfDay', 'eightHours', 10_000],
      ['twelveHours', 'eightHours', 26_000],
      ['halfDay', 'eightHours', 10_000],
    ])
  })

  test('pays what was completed and nothing else, and says why not', () => {
    const lines = [
      pay({ status: 'cancelled', statusReason: 'Rain.' }),
      pay({ status: 'noShow', statusReason: 'ill' }),
      pay({ status: 'planned' }),
      pay({}, { rates: [] }),
    ]
    expect(lines.map(({ cents, unpaid }) => [cents, unpaid])).toEqual([
      [0, 'Canceled: Rain.'],
      [0, 'No-show: ill.'],
      [0, 'Not completed yet.'],
      [0, 'No pay rate for Jul 1, 2024.'],
    ])
  })

  test('names what looks wrong', () => {
    expect(kinds(pay({}))).toEqual([])
    expect(kinds(pay({ startedAt: null, stoppedAt: null, actualMinutes: null }))).toEqual(['needsDecision'])
    expect(kinds(pay({ actualMinutes: 60, coverage: null }))).toEqual(['needsDecision'])
    expect(kinds(pay({ status: 'out', stoppedAt: null, actualMinutes: null }))).toEqual(['noStop'])
    expect(kinds(pay({ status: 'planned', startedAt: null, stoppedAt: null, actualMinutes: null }))).toEqual([
      'noStart',
    ])
    expect(kinds(pay({ coverage: 0.4 }))).toEqual(['noGps'])
    expect(kinds(pay({ coverage: null }))).toEqual(['noGps'])
    // A quarter of eight hours is two.
    expect(kinds(pay({ actualMinutes: 600 }))).toEqual([])
    expect(kinds(pay({ actualMinutes: 601 }))).toEqual(['farFromPlan'])
    expect(kinds(pay({}, { overlaps: true, rates: [] }))).toEqual(['overlap', 'noRate'])
  })
})

test('actual hours overlap only within a driver', () => {
  const span = (uid: string, driverUid: string, from: number, to: number | null) => ({
    uid,
    driverUid,
    startedAt: new Date(from).toISOString(),
    stoppedAt: to === null ? null : new Date(to).toISOString(),
  })
  const shifts = [
    span('long', 'ann', 0, 100),
    span('short', 'ann', 10, 20),
    span('late', 'ann', 90, 120),
    span('next', 'ann', 120, 130),
    span('other', 'ben', 0, 100),
    span('open', 'ann', 50, null),
  ]
  expect([...overlappingShifts(shifts)].toSorted()).toEqual(['late', 'long', 'short'])
})

describe('overtime of day rates', () => {
  const days = (from: number, count: number, actualMinutes: number | null, cents: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...pay({ date: `2024-07-${String(from + index).padStart(2, '0')}`, actualMinutes }),
      cents,
    }))

  test('a workweek of 52 hours', () => {
    // Four days of 13 hours at $260: $1,040 for 52 hours is $20 an hour; 12 hours over, at half of it: $120.
    expect(overtimeWeeks(days(1, 4, 780, 26_000), after40)).toEqual([
      {
        from: '2024-07-01',
        to: '2024-07-07',
        minutes: 3120,
        plannedMinutes: 0,
        overtimeMinutes: 720,
        cents: 104_000,
        owedCents: 12_000,
      },
    ])
  })

  test('stands on its own in each week, from Monday to Sunday', () => {
    // 30 hours and 50 hours: not 80 in two weeks, but 10 over in the second. $900 / 50 h = $18; 10 h at $9 are $90.
    const weeks = overtimeWeeks([...days(3, 5, 360, 10_000), ...days(8, 5, 600, 18_000)], after40)
    expect(weeks.map(({ from, overtimeMinutes, owedCents }) => [from, overtimeMinutes, owedCents])).toEqual([
      ['2024-07-08', 600, 9_000],
    ])
    // Exactly 40 hours are none.
    expect(overtimeWeeks(days(1, 5, 480, 18_000), after40)).toEqual([])
  })

  test('rounds half a cent up, once', () => {
    // 60 hours, 20 over: a sixth of the pay. Of 90,003 cents that is 15,000.5; of 90,002 it is 15,000.33.
    const week = (cents: number) => [...days(1, 4, 720, 0), ...days(5, 1, 720, cents)]
    expect(overtimeWeeks(week(90_003), after40)[0]?.owedCents).toBe(15_001)
    expect(overtimeWeeks(week(90_002), after40)[0]?.owedCents).toBe(15_000)
  })

  test('counts planned hours where actual hours are unknown, and says how many', () => {
    // Six days planned for 8 hours: 48 hours, 8 over. $1,080 / 48 h = $22.50; 8 h at $11.25 are $90.
    expect(overtimeWeeks(days(1, 6, null, 18_000), after40)[0]).toMatchObject({
      plannedMinutes: 2880,
      owedCents: 9_000,
    })
    expect(overtimeWeeks([{ ...pay({ actualMinutes: 3000 }), status: 'cancelled' }], after40)).toEqual([])
  })
})
