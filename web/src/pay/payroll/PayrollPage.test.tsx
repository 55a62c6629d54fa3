import type { BodyOf } from '@roadshow/contract/platform/endpoint'
import { payReview } from '@roadshow/contract/pay/pay-review'
import type { UndecidedShift } from '@roadshow/contract/pay/pay-review'
import { payroll } from '@roadshow/contract/pay/payroll'
import type { PayLine, PayStatement } from '@roadshow/contract/pay/payroll'
import type { PayPeriod } from '@roadshow/contract/pay/pay-periods'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { formatDay, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import {
  anAdjustment,
  danaDriver,
  payWeek,
  payFigures,
  aPayLine,
  answerCalendar,
  refOfPayPeriod,
  aPayPeriod,
  aPayWeek,
} from './test-pay.ts'
import { testUid } from '../../test-uid.ts'

const PATH = '/users/payroll'
const WEEK = `${PATH}?date=2026-07-08`
let api: FakeApi
let period: PayPeriod | null
let statement: PayStatement
const user = userEvent.setup({ delay: null })

const beside = () => ({
  period: period && refOfPayPeriod(period),
  periods: period && period.state !== 'open' ? [refOfPayPeriod(period)] : [],
})

beforeEach(() => {
  api = fakeApi()
  answerCalendar(api)
  period = null
  statement = {
    ...payWeek,
    ...beside(),
    driver: danaDriver,
    figures: payFigures,
    lines: [aPayLine],
    adjustments: [anAdjustment],
    deletedAdjustments: [],
    weeks: [aPayWeek],
  }
  api.answer(payroll.list, () => ({
    ...paged([{ driver: danaDriver, ...payFigures }]),
    ...beside(),
    totals: { drivers: 1, ...payFigures },
    anomalyKinds: [{ kind: 'farFromPlan' as const, shifts: 1, drivers: 1 }],
  }))
  api.answer(payroll.statement, () => ({ data: { ...statement, ...beside() } }))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const lastAsked = () => Object.fromEntries(api.sentTo(payroll.list).at(-1)?.query ?? [])
const bodies = (call: Parameters<FakeApi['sentTo']>[0]) => api.sentTo(call).map(({ body }) => body)
const button = (name: string) => screen.findByRole('button', { name })
const answer = async (word: string) => {
  await user.click(await button(word))
  const dialog = await findDialog(`${word} this pay period?`)
  await user.click(within(dialog).getByRole('button', { name: word }))
  return dialog
}

describe('the days', () => {
  test('are a pay period of the calendar or any, all of it in the address', async () => {
    const { address } = openConsole(WEEK, { api })
    const row = await screen.findByRole('row', { name: /^Dana Reyes/ })
    expect(lastAsked()).toMatchObject(payWeek)
    expect(row.textContent).toContain('$160.50')
    expect(row.textContent).toContain('1 problem')
    expect(row.textContent).toContain('12 h, $20.83')
    await user.click(screen.getByRole('button', { name: 'Earlier' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ from: '2026-06-29', to: '2026-07-05' }))
    await user.click(screen.getByText('Custom'))
    await user.click(screen.getByRole('button', { name: 'Later' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ from: '2026-07-06', to: '2026-07-12' }))
    expect(screen.getByText('Only periods of the pay calendar can be approved.')).toBeInTheDocument()
    expect(address()).toContain('range=free')
    await user.click(screen.getByRole('button', { name: 'With problems' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ only: 'anomalies' }))
  })

  test('that are the wrong way round or too many are said, and not asked for', async () => {
    openConsole(`${PATH}?range=free&from=2026-01-01&to=2026-07-01`, { api })
    expect((await screen.findByRole('alert')).textContent).toBe('Choose at most 92 days.')
    expect(api.sentTo(payroll.list)).toHaveLength(0)
  })

  test('of another period lead there, and cannot be approved beside it', async () => {
    api.answer(payroll.list, () => ({
      ...paged([
        {
          driver: danaDriver,
          ...payFigures,
        },
      ]),
      period: null,
      periods: [refOfPayPeriod(aPayPeriod('locked'))],
      totals: {
        drivers: 1,
        ...payFigures,
      },
      anomalyKinds: [],
    }))
    openConsole(`${PATH}?range=free&from=2026-07-01&to=2026-07-31`, { api })
    await user.click(await screen.findByRole('link', { name: 'Jul 6, 2026 – Jul 12, 2026 (locked)' }))
    await waitFor(() => expect(lastAsked()).toMatchObject(payWeek))
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })

  test('that are not over are not approved', async () => {
    openConsole(`${PATH}?date=${localDay(localZone())}`, { api })
    expect(await screen.findByText(/You can approve it after its last day/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  })
})

describe('a period', () => {
  beforeEach(() => {
    api.answer(payroll.approve, () => ({ data: (period = aPayPeriod('approved')) }))
    api.answer(payroll.move, ({ body }) => {
      const { state, version } = body as Pick<PayPeriod, 'state' | 'version'>
      return { data: (period = aPayPeriod(state, version + 1)) }
    })
  })

  test('is approved as it was seen, locked, and unlocked with a reason', async () => {
    openConsole(WEEK, { api })
    await answer('Approve')
    await answer('Lock')
    await user.click(await button('Unlock'))
    const dialog = await findDialog('Unlock this pay period?')
    const unlock = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Unlock' })
    expect(unlock.disabled).toBe(true)
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Wrong rate')
    await user.click(unlock)
    await answer('Reopen')
    await button('Approve')
    expect(bodies(payroll.approve)).toEqual([{ ...payWeek, cents: 16_050 }])
    const uid = testUid(41)
    expect(bodies(payroll.move)).toEqual([
      { uid, version: 1, state: 'locked', reason: '' },
      { uid, version: 2, state: 'approved', reason: 'Wrong rate' },
      { uid, version: 3, state: 'open', reason: '' },
    ])
  })

  test('that is the oldest to work on is opened, and stays while its steps are taken', async () => {
    answerCalendar(api, payWeek)
    const { address } = openConsole(PATH, { api })
    await waitFor(() => expect(lastAsked()).toMatchObject(payWeek))
    await waitFor(() => expect(address()).toContain('date=2026-07-06'))
    answerCalendar(api, { from: '2026-07-13', to: '2026-07-19' })
    await answer('Approve')
    await answer('Lock')
    expect(lastAsked()).toMatchObject(payWeek)
    await user.click(screen.getByRole('button', { name: /^Oldest to work on: Jul 13, 2026/ }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ from: '2026-07-13', to: '2026-07-19' }))
  })

  test('with shifts to decide has them in a table, and cannot be approved before', async () => {
    api.answer(payroll.list, () => ({
      ...paged([{ driver: danaDriver, ...payFigures, undecided: 2 }]),
      ...beside(),
      totals: { drivers: 1, ...payFigures, undecided: 2 },
      anomalyKinds: [
        { kind: 'needsDecision' as const, shifts: 2, drivers: 1 },
        { kind: 'noGps' as const, shifts: 14, drivers: 3 },
      ],
    }))
    openConsole(WEEK, { api })
    expect(await screen.findByText(/^2 shifts need a decision before you can approve/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    const kinds = screen.getByRole('list', { name: 'Problems by type' })
    expect(
      within(kinds)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['No GPS 14'])
    await user.click(within(kinds).getByRole('button', { name: 'No GPS 14' }))
    await waitFor(() => expect(lastAsked()).toMatchObject({ anomaly: 'noGps' }))
  })

  test('whose figures changed meanwhile shows the new ones before it is approved', async () => {
    let cents = 16_050
    api.answer(payroll.list, () => ({
      ...paged([{ driver: danaDriver, ...payFigures, cents }]),
      ...beside(),
      totals: { drivers: 1, ...payFigures, cents },
      anomalyKinds: [],
    }))
    api.respond(payroll.approve, ({ body }) => {
      cents = 20_000
      return (body as { cents: number }).cents === cents
        ? Response.json({ data: (period = aPayPeriod('approved')) })
        : refusal('payChanged')
    })
    openConsole(WEEK, { api })
    const dialog = await answer('Approve')
    expect((await within(dialog).findByRole('alert')).textContent).toMatch(/figures have changed/)
    await within(dialog).findByText('$200.00')
    await user.click(within(dialog).getByRole('button', { name: 'Approve' }))
    await button('Lock')
  })

  test('that someone else locked meanwhile is not locked again', async () => {
    period = aPayPeriod('approved')
    api.respond(payroll.move, () => {
      period = aPayPeriod('locked', 2)
      return refusal('staleVersion')
    })
    openConsole(WEEK, { api })
    const dialog = await answer('Lock')
    expect((await within(dialog).findByRole('alert')).textContent).toMatch(/changed this record/)
    await waitFor(() =>
      expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Lock' }).disabled).toBe(true),
    )
    await button('Unlock')
  })
})

describe('a driver’s drawer', () => {
  const OPEN = `${WEEK}&open=${danaDriver.uid}`

  test('tells what counts and why, and how overtime is reckoned', async () => {
    openConsole(OPEN, { api })
    const shift = await screen.findByRole('article', { name: 'Wed, Jul 8, 8:00 PM–4:00 AM' })
    for (const text of [
      'Wed, Jul 8',
      'ends next day',
      'Planned 8 h, worked 8 h 30 min (8:02 PM–4:32 AM)',
      '8-hour day, as planned, rate since Jan 1, 2026',
      'Proposed: 12-hour day. Planned 8 h',
      'Far from the plan',
      '$180.50',
    ])
      expect(shift.textContent).toContain(text)
    const overtime = screen.getByRole('article', { name: 'Week Jul 6, 2026 – Jul 12, 2026' })
    expect(overtime.textContent).toContain('52 h worked, 12 h over 40 h')
    expect(overtime.textContent).toContain('$180.50 of day rates in 52 h is about $3.47 an hour; half of it for 12 h.')
    expect(overtime.textContent).toContain('$20.83')
  })

  test('sets an option with a note, and keeps it when someone else was first', async () => {
    const overridden = (by: string, note: string, version: number): PayLine => ({
      ...aPayLine,
      option: 'halfDay',
      cents: 9_000,
      override: { option: 'halfDay', decision: 'pay', note, by, at: '2026-07-13T12:00:00.000Z', version },
    })
    api.respond(payroll.override, ({ body }) => {
      const { version, note } = body as { version: number | null; note: string }
      if (version === null) {
        statement = { ...statement, lines: [overridden('Lee Fox', 'Came late', 1)] }
        return refusal('staleVersion')
      }
      const data = overridden('Avery Stone', note, 2)
      statement = { ...statement, lines: [data] }
      return Response.json({ data })
    })
    openConsole(OPEN, { api })
    await user.click(await button('Change Wed, Jul 8, 8:00 PM–4:00 AM'))
    const form = await screen.findByRole('form', { name: 'Pay option for Wed, Jul 8' })
    const save = within(form).getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    await user.click(within(form).getByRole('combobox', { name: 'Pay option' }))
    await user.click(await screen.findByText('Half day', { selector: '.ant-select-item-option-content' }))
    await user.type(within(form).getByRole('textbox', { name: 'Reason' }), 'Rained off')
    await user.click(save)
    expect((await within(form).findByRole('alert')).textContent).toMatch(/changed this record/)
    await user.click(within(form).getByRole('button', { name: 'Reload and keep my edits' }))
    await screen.findByText('“Came late”')
    await user.click(save)
    await screen.findByText('“Rained off”')
    const same = { shiftUid: aPayLine.uid, option: 'halfDay', decision: 'pay', note: 'Rained off' }
    expect(bodies(payroll.override)).toEqual([
      { ...same, version: null },
      { ...same, version: 1 },
    ])
    expect(screen.queryByRole('form')).toBeNull()
  })

  test('decides on a shift without evidence of work', async () => {
    const undecided = {
      ...aPayLine,
      option: null,
      rateFrom: null,
      cents: 0,
      needsDecision: true,
      unpaid: 'Needs a decision: No start was recorded.',
    }
    statement = { ...statement, lines: [undecided] }
    api.answer(payroll.override, () => {
      const by = { by: 'Avery Stone', at: '2026-07-13T12:00:00.000Z', version: 1 }
      const override = { option: null, decision: 'doNotPay' as const, note: 'Never came', ...by }
      const data = { ...undecided, needsDecision: false, unpaid: 'Not paid, decided by Avery Stone.', override }
      statement = { ...statement, lines: [data] }
      return { data }
    })
    openConsole(OPEN, { api })
    expect(await screen.findByText('To decide')).toBeInTheDocument()
    await user.click(await button('Decide Wed, Jul 8, 8:00 PM–4:00 AM'))
    const form = await screen.findByRole('form', { name: 'Pay option for Wed, Jul 8' })
    const save = within(form).getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    // The options are open at once.
    await user.click(await screen.findByText('Do not pay', { selector: '.ant-select-item-option-content' }))
    await user.type(within(form).getByRole('textbox', { name: 'Reason' }), 'Never came')
    await user.click(save)
    await screen.findByText('Not paid, decided by Avery Stone.')
    expect(bodies(payroll.override)).toEqual([
      { shiftUid: aPayLine.uid, version: null, option: null, decision: 'doNotPay', note: 'Never came' },
    ])
  })

  test('leads from each figure to shifts with the same total', async () => {
    const unpaid = {
      ...aPayLine,
      uid: testUid(2),
      date: '2026-07-09',
      option: null,
      cents: 0,
      unpaid: 'Canceled: Rain.',
    }
    const figures = { ...payFigures, unpaid: 1 }
    statement = { ...statement, lines: [aPayLine, unpaid], figures }
    openConsole(OPEN, { api })
    await screen.findByRole('link', { name: '$180.50' })
    const total = () => screen.getByRole('status', { name: 'Total of the shown shifts' }).textContent
    expect(total()).toBe(
      '1 paid shift: $180.50, 8 h 30 min worked, 8 h planned, 49.7 mi; 1 shift not paid: 8 h 30 min worked, 8 h planned, 49.7 mi',
    )
    await user.click(screen.getByRole('link', { name: '8 h 30 min worked, 8 h planned, 49.7 mi' }))
    await waitFor(() => expect(total()).toBe('1 paid shift: $180.50, 8 h 30 min worked, 8 h planned, 49.7 mi'))
    await user.click(screen.getByRole('link', { name: '1 shift not paid' }))
    const group = await screen.findByRole('region', { name: 'Shifts that are not paid' })
    expect(within(group).getAllByRole('article')).toHaveLength(1)
    expect(group.textContent).toContain('Canceled: Rain.')
  })

  test('adds and deletes adjustments, and says why a locked period refuses them', async () => {
    api.respond(payroll.adjust, () =>
      refusal('payPeriodClosed', { error: 'The pay period from Jul 6, 2026 to Jul 12, 2026 is locked.' }),
    )
    openConsole(OPEN, { api })
    await user.click(await button('Add adjustment'))
    const form = await screen.findByRole('form', { name: 'New adjustment' })
    await user.click(within(form).getByText('Deduct'))
    await user.type(within(form).getByRole('spinbutton', { name: 'Amount' }), '12.35')
    await user.type(within(form).getByRole('textbox', { name: 'Note' }), 'Fuel card')
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    expect((await within(form).findByRole('alert')).textContent).toContain('Jul 6, 2026 to Jul 12, 2026 is locked')
    const added = { ...anAdjustment, uid: testUid(32), date: payWeek.to, cents: -1_235, note: 'Fuel card' }
    api.answer(payroll.adjust, () => {
      statement = { ...statement, adjustments: [anAdjustment, added] }
      return { data: added }
    })
    await user.click(within(form).getByRole('button', { name: 'Save' }))
    const item = await screen.findByRole('article', { name: `${formatWeekday(payWeek.to)}, Fuel card` })
    expect(item.textContent).toContain('−$12.35')
    expect(bodies(payroll.adjust).at(-1)).toEqual({
      driverUid: danaDriver.uid,
      date: payWeek.to,
      cents: -1235,
      note: 'Fuel card',
      shiftUid: null,
    })
    // The same intent has the same key, so that it is paid once.
    const keys = api.sentTo(payroll.adjust).map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(1)

    api.answer(payroll.removeAdjustment, ({ params }) => {
      statement = { ...statement, adjustments: [anAdjustment] }
      return { data: { uid: params.uid ?? '' } }
    })
    await user.click(screen.getByRole('button', { name: 'Delete Fuel card' }))
    const question = await findDialog('Delete this adjustment?')
    await user.click(within(question).getByRole('button', { name: 'Delete adjustment' }))
    await waitFor(() =>
      expect(screen.queryByRole('article', { name: `${formatWeekday(payWeek.to)}, Fuel card` })).toBeNull(),
    )
    expect(api.sentTo(payroll.removeAdjustment)[0]?.params.uid).toBe(added.uid)
  })

  test('shows deleted adjustments with who deleted them, and restores them', async () => {
    const gone = { ...anAdjustment, deletedAt: '2026-07-09T15:00:00.000Z', deletedBy: 'Mara Lee' }
    statement = { ...statement, adjustments: [], deletedAdjustments: [gone] }
    api.answer(payroll.restoreAdjustment, ({ params }) => {
      statement = { ...statement, adjustments: [anAdjustment], deletedAdjustments: [] }
      return { data: { uid: params.uid ?? '' } }
    })
    openConsole(OPEN, { api })
    const list = await screen.findByRole('list', { name: 'Deleted adjustments' })
    expect(list.textContent).toContain('Deleted by Mara Lee on Jul 9, 2026')
    await user.click(within(list).getByRole('button', { name: `Restore ${gone.note}` }))
    await screen.findByText('Adjustment restored.')
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Deleted adjustments' })).toBeNull())
    expect(screen.getByRole('article', { name: `${formatWeekday(gone.date)}, ${gone.note}` })).toBeInTheDocument()
  })

  test('corrects a shift of a locked period by an adjustment of today', async () => {
    period = aPayPeriod('locked')
    statement = { ...statement, lines: [{ ...aPayLine, period: refOfPayPeriod(period) }] }
    openConsole(OPEN, { api })
    await user.click(await button('Correct Wed, Jul 8, 8:00 PM–4:00 AM'))
    const form = await screen.findByRole('form', { name: 'New adjustment' })
    expect(form.textContent).toContain('Corrects the shift on Wed, Jul 8 at 8:00 PM, Summer, truck T-1.')
    expect(document.activeElement).toBe(within(form).getByRole('spinbutton', { name: 'Amount' }))
    expect(within(form).getByRole<HTMLInputElement>('textbox', { name: 'Date' }).value).toBe(
      formatDay(localDay(localZone())),
    )
    expect(screen.queryByRole('button', { name: 'Delete Advance' })).toBeNull()
    expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull()
  })
})

describe('the files', () => {
  const held = {
    rows: 1,
    drivers: 1,
    minutes: 510,
    shiftCents: 18_050,
    adjustmentCents: -2_000,
    overtimeCents: 0,
    cents: 16_050,
  }
  const chooseFile = async (label: string) => {
    await user.click(await screen.findByRole('radio', { name: label }))
  }

  test('for payroll programs wait for the approval; sheets do not', async () => {
    openConsole(`${WEEK}&files=open`, { api })
    expect((await screen.findByRole('table', { name: 'Control totals' })).textContent).toContain('$160.50')
    await button('Download CSV')
    await chooseFile('Gusto')
    expect(await screen.findByText(/^Approve the pay period first/)).toBeInTheDocument()
    expect(api.sentTo(payroll.checkFile)).toHaveLength(0)
  })

  test('show their control totals, what keeps them from being made, and a refusal', async () => {
    period = aPayPeriod('approved')
    const problems = ['Lee Fox has no payroll id, which ADP needs as File #.']
    api.answer(payroll.checkFile, ({ query }) => ({
      data: { filename: `PR${query.get('companyCode')}EPI.csv`, ...held, problems, notes: ['Hours are not sent.'] },
    }))
    openConsole(`${WEEK}&files=open`, { api })
    await chooseFile('ADP Workforce Now')
    expect(await screen.findByText('Enter the ADP company code.')).toBeInTheDocument()
    await user.type(screen.getByRole('textbox', { name: 'Company code' }), 'ABC')
    const download = await screen.findByRole<HTMLButtonElement>('button', { name: 'Download PRABCEPI.csv' })
    expect(screen.getByRole('alert').textContent).toContain(problems[0])
    expect(download.disabled).toBe(true)
    expect(screen.getByRole('table', { name: 'Control totals' }).textContent).toContain('8 h 30 min')

    problems.pop()
    await chooseFile('QuickBooks Desktop (IIF)')
    api.respond(payroll.file, () => refusal('payFileRefused', { error: 'The period was opened meanwhile.' }))
    await user.click(await screen.findByRole('button', { name: /^Download PR/ }))
    expect((await screen.findByRole('alert')).textContent).toBe('The period was opened meanwhile.')
    expect(Object.fromEntries(api.sentTo(payroll.file)[0]?.query ?? [])).toEqual({
      period: period.uid,
      system: 'quickbooks',
    })
  })
})

test('a driver reads their own statement, and changes nothing', async () => {
  const kept = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:it')
  period = aPayPeriod('approved')
  openConsole(WEEK, { api, user: someUser('driver') })
  expect((await screen.findByRole('region', { name: 'Total' })).textContent).toContain(
    '$160.501 paid shift (1 × 8-hour day): $180.50; adjustments: −$20.00',
  )
  expect(screen.getByText('Checked and approved.')).toBeInTheDocument()
  expect(screen.getByRole('article', { name: 'Fri, Jul 10, Advance' })).toBeInTheDocument()
  for (const name of [/^Change/, /^Correct/, /^Delete/, 'Add adjustment', 'Approve', 'Lock', 'Files', 'CSV'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(api.sentTo(payroll.list)).toHaveLength(0)
  expect(Object.fromEntries(api.sentTo(payroll.statement)[0]?.query ?? [])).toEqual(payWeek)
  api.respond(payroll.statement, () => new Response('%PDF'))
  await user.click(screen.getByRole('button', { name: 'Statement (PDF)' }))
  await waitFor(() => expect(kept).toHaveBeenCalled())
  expect(api.sentTo(payroll.statement).at(-1)?.query.get('format')).toBe('pdf')
})

describe('the shifts to decide', () => {
  const undecided = (n: number, gap: UndecidedShift['gap'], driver: string): UndecidedShift => ({
    line: { ...aPayLine, uid: testUid(n), option: null, cents: 0, needsDecision: true, unpaid: 'Needs a decision: …' },
    driver: { uid: testUid(300 + n), name: driver },
    gap,
    asPlanned: { option: 'eightHours', cents: 18_000 },
  })
  let open: UndecidedShift[]

  beforeEach(() => {
    open = [undecided(1, 'noStop', 'Ann'), undecided(2, 'noStop', 'Bob'), undecided(3, 'noTimes', 'Cy')]
    api.answer(payReview.undecided, () => ({ data: open }))
    api.answer(payroll.list, () => ({
      ...paged([{ driver: danaDriver, ...payFigures }]),
      ...beside(),
      totals: { drivers: 1, ...payFigures, undecided: open.length },
      anomalyKinds: [],
    }))
    api.answer(payReview.decide, ({ body }) => {
      const { shifts } = body as BodyOf<typeof payReview.decide>
      open = open.filter(({ line }) => !shifts.some(({ uid }) => uid === line.uid))
      return { data: { shifts: shifts.map(({ uid }) => ({ uid, version: 1 })) } }
    })
  })

  test('are paid together where they lack the same, singly otherwise, and taken back by Undo', async () => {
    openConsole(WEEK, { api })
    expect(await screen.findByRole('heading', { name: '3 shifts to decide' })).toBeInTheDocument()
    await user.click(await button('Pay all 2 as planned: no stop, $360.00'))
    expect(await screen.findByText(/^2 shifts: paid as planned/)).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: /^Don’t pay, Cy/ }))
    await button('Approve')
    expect(screen.queryByRole('heading', { name: /to decide$/ })).toBeNull()
    await user.click(await button('Undo'))
    await waitFor(() => expect(bodies(payReview.decide)).toHaveLength(3))
    const [ann, bob, cy] = [1, 2, 3].map((n) => testUid(n))
    expect(bodies(payReview.decide)).toEqual([
      {
        ...payWeek,
        decision: 'pay',
        shifts: [
          { uid: ann, version: null },
          { uid: bob, version: null },
        ],
      },
      { ...payWeek, decision: 'doNotPay', shifts: [{ uid: cy, version: null }] },
      { ...payWeek, decision: null, shifts: [{ uid: cy, version: 1 }] },
    ])
  })

  test('say each problem once, and hours of shifts that are not paid stand apart from the paid ones', async () => {
    const line = { ...aPayLine, ...undecided(1, 'noStop', 'Ann').line, actualMinutes: 20 }
    const anomalies = [{ kind: 'needsDecision' as const, text: 'No stop was recorded.' }]
    statement = { ...statement, figures: { ...payFigures, actualMinutes: 0 }, lines: [{ ...line, anomalies }] }
    openConsole(`${WEEK}&open=${danaDriver.uid}`, { api })
    const shift = await screen.findByRole('article', { name: 'Wed, Jul 8, 8:00 PM–4:00 AM' })
    expect(shift.textContent?.match(/No stop was recorded/g)).toHaveLength(1)
    expect(shift.textContent?.match(/Needs a decision/g)).toHaveLength(1)
    expect(screen.getByRole('status', { name: 'Total of the shown shifts' }).textContent).toMatch(
      /^1 shift not paid: 20 min worked/,
    )
  })
})
