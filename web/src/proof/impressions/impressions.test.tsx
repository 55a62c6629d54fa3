import { defaultSettings, settings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { shifts } from '@roadshow/contract/planning/shifts'
import { impressions } from '@roadshow/contract/proof/impressions'
import type { ImpressionInputs } from '@roadshow/contract/proof/impressions'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aBoardShift, answerSchedule, asShift } from '../../planning/shifts/test-shifts.ts'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { answerPops, aPop } from '../pop/test-pop.ts'

let api: FakeApi
const user = userEvent.setup({ delay: null })
beforeEach(() => {
  api = fakeApi()
})
afterEach(cleanup)

const source = 'Assumption'
const inputs: ImpressionInputs = {
  areas: [
    {
      name: 'Every market',
      marketUid: null,
      dailyVehicles: { interstate: 80_000, principalArterial: 20_000, other: 6000 },
    },
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({ share: hour < 16 ? 0.06 : 0.005, isNight: hour < 6 })),
  speeds: { interstateFromMph: 50, principalArterialFromMph: 30 },
  sides: {
    driverSide: { opposite: 0.85, same: 0.1 },
    passengerSide: { opposite: 0, same: 0.2 },
    rear: { opposite: 0, same: 0.2 },
  },
  occupancy: 1.5,
  isLit: { led: true, printed: false },
  sources: { areas: source, hours: source, speeds: source, sides: source, occupancy: source, isLit: source },
}
const first = {
  version: 1,
  note: 'Comes with the product.',
  sha256: 'ab'.repeat(32),
  segments: 0,
  createdAt: '2026-07-01T12:00:00.000Z',
  createdBy: null,
}

describe('the method in the settings', () => {
  const openTab = async () => {
    api.answer(trucks.list, () => paged([]))
    api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
    api.answer(impressions.methods, () => ({ data: { isOn: false, versions: [first], inputs } }))
    openConsole('/trucks?settings=open', { api })
    const drawer = within(await findDialog('Settings'))
    await user.click(await drawer.findByRole('tab', { name: 'Impressions' }))
    await drawer.findByText('Comes with the product.')
    await user.click(drawer.getByRole('button', { name: 'New version' }))
    return within(await findDialog('Method 2'))
  }
  const fill = (form: Awaited<ReturnType<typeof openTab>>, label: string, text: string) => {
    const input = form.getByLabelText(label, { selector: 'input' })
    fireEvent.change(input, { target: { value: text } })
    fireEvent.blur(input)
  }
  const save = (form: Awaited<ReturnType<typeof openTab>>) =>
    user.click(form.getByRole('button', { name: 'Save as new version' }))

  test('is saved as a new version with everything else as it was', async () => {
    api.answer(impressions.addMethod, () => ({ data: { ...first, version: 2, createdBy: 'Avery Stone' } }))
    const form = await openTab()
    fill(form, 'What is new', 'Two people')
    fill(form, 'People in a vehicle', '2')
    fill(form, 'Driver side, opposite direction', '80')
    await save(form)
    expect(await screen.findByText('Method 2 is saved.')).toBeInTheDocument()
    const sides = { ...inputs.sides, driverSide: { opposite: 0.8, same: 0.1 } }
    expect(api.sentTo(impressions.addMethod).map(({ body }) => body)).toEqual([
      {
        basedOn: 1,
        note: 'Two people',
        inputs: { ...inputs, occupancy: 2, sides },
        traffic: 'keep',
        trafficFile: '',
      },
    ])
  })

  test('is refused by the words of the server and of the form', async () => {
    const form = await openTab()
    await save(form)
    expect(await form.findByText('Required.')).toBeInTheDocument()
    fill(form, 'What is new', 'More of an hour')
    fill(form, 'Share of the hour from 12 AM', '50')
    await save(form)
    expect(await form.findByText('The hours must add up to 100%, not 144%.')).toBeInTheDocument()
    expect(api.sentTo(impressions.addMethod)).toHaveLength(0)
    fill(form, 'Share of the hour from 12 AM', '6')
    api.respond(impressions.addMethod, () => refusal('staleVersion'))
    await save(form)
    expect(await form.findByText(/Someone else changed this record/)).toBeInTheDocument()
  })
})

describe('the estimate', () => {
  const range = { low: 364, likely: 1215, high: 4860 }
  const total = { ...range, shifts: 3, shiftsWithout: 1, methods: [{ version: 1, sha256: 'ab'.repeat(32) }] }

  test('of a program stands in its POP, as modeled', async () => {
    answerPops(api, { pop: aPop(), photos: [], versions: [] })
    api.answer(impressions.program, () => ({ data: { total, markets: [] } }))
    openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('client', ['pop']) })
    const part = within(await screen.findByRole('region', { name: 'Estimated impressions' }))
    expect(part.getByText('1,220')).toBeInTheDocument()
    expect(
      part.getByText('Between 364 and 4,860. Modeled, not measured. 1 shift without GPS data not included.'),
    ).toBeInTheDocument()
    expect(part.getByRole('button', { name: 'Inputs of method 1 as CSV' })).toBeInTheDocument()
  })

  test('is not there where it is turned off', async () => {
    answerPops(api, { pop: aPop(), photos: [], versions: [] })
    api.answer(impressions.program, () => ({ data: null }))
    openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('client', ['pop']) })
    await screen.findByRole('region', { name: 'Figures' })
    await expect.poll(() => api.sentTo(impressions.program)).toHaveLength(1)
    expect(screen.queryByRole('region', { name: 'Estimated impressions' })).toBeNull()
  })

  test('of a shift says which time counts, and a shift without positions says so', async () => {
    const shift = aBoardShift(1)
    answerSchedule(api, [shift])
    const found = {
      ...range,
      countedSeconds: 7800,
      parkedSeconds: 1200,
      unlitSeconds: 0,
      isWithoutPlays: false,
      method: 1,
    }
    const details = {
      ...asShift(shift),
      startSetBy: null,
      stopSetBy: null,
      lateMinutes: null,
      plays: { count: 0, verified: 0, conflict: 0 },
      distance: null,
      isWithoutPlays: false,
      issues: [],
      reports: [],
      photos: 0,
      stops: [],
    }
    api.respond(shifts.details, () => Response.json(paged([details])))
    api.answer(impressions.shift, () => ({
      data: { isOn: true, impressions: { ...found, computedAt: '2026-07-08T12:00:00.000Z' } },
    }))
    openConsole(`/schedule/program-schedule?date=2026-07-08&open=${testUid(1)}&tab=details`, { api })
    const part = await screen.findByRole('region', { name: 'Estimated impressions' })
    expect(part).toHaveTextContent('2 h 10 min of driving counted, 20 min parked.')
    cleanup()
    const nothing = { ...found, low: 0, likely: 0, high: 0, isWithoutPlays: true }
    api.answer(impressions.shift, () => ({
      data: { isOn: true, impressions: { ...nothing, computedAt: '2026-07-08T12:00:00.000Z' } },
    }))
    openConsole(`/schedule/program-schedule?date=2026-07-08&open=${testUid(1)}&tab=details`, { api })
    expect(await screen.findByText(/showed nothing earns no impressions/)).toBeInTheDocument()
    cleanup()
    api.answer(impressions.shift, () => ({ data: { isOn: true, impressions: null } }))
    openConsole(`/schedule/program-schedule?date=2026-07-08&open=${testUid(1)}&tab=details`, { api })
    expect(await screen.findByText(/No estimate: no GPS data of this shift yet/)).toBeInTheDocument()
  })
})
