import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, paged, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'
import { mapUrl, placeText } from './playPlace.ts'
import { answerAdLog, aPlay, DALLAS, emptySummary, SUMMER } from './test-ad-log.ts'

let api: FakeApi
const user = userEvent.setup({ delay: null })
const pick = async (box: string, option: RegExp) => {
  await user.click(await screen.findByRole('combobox', { name: box }))
  await user.click(await screen.findByText(option, { selector: '.ant-select-item-option-content' }))
}
const DRIVER = testUid(40)

beforeEach(() => {
  api = fakeApi()
  answerAdLog(api)
  api.answer(shifts.drivers, () => paged([{ uid: DRIVER, name: 'Dana Brooks' }] as never))
})
afterEach(cleanup)

const DAY = '/ad-log?from=2026-07-07&to=2026-07-07'

test('the plays of a market on a day from 5 to 8 PM are found in a few clicks, with the place of each', async () => {
  api.answer(adLog.list, () => paged([{ ...aPlay, latitude: 32.83, longitude: -96.75 }]))
  const { address } = openConsole('/ad-log?from=2026-07-07&to=2026-07-07', { api })
  await pick('Market', /^Dallas/)
  const hours = await screen.findByRole('textbox', { name: 'Hours' })
  await user.type(hours, '5-8 PM{Enter}')
  await waitFor(() => expect(address()).toBe(`${DAY}&market=${DALLAS}&fromHour=17&toHour=20`))
  expect(hours).toHaveValue('5:00–8:00 PM')
  const asked = `market=${DALLAS}&from=2026-07-07&to=2026-07-07&fromHour=17&toHour=20`
  await waitFor(() => {
    for (const call of [adLog.list, adLog.summary]) {
      const sent = [...(api.sentTo(call).at(-1)?.query.entries() ?? [])].map((pair) => pair.join('='))
      expect(sent.toSorted()).toEqual(asked.split('&').toSorted())
    }
  })
  const place = await screen.findByRole('link', { name: '4.5 mi NE of Dallas' })
  expect(place.getAttribute('href')).toBe(mapUrl({ latitude: 32.83, longitude: -96.75 }))
  await user.clear(hours)
  await user.tab()
  await waitFor(() => expect(address()).toBe(`${DAY}&market=${DALLAS}`))
})

test('hours that cannot be read stay and say why', async () => {
  const { address } = openConsole(DAY, { api })
  await user.type(await screen.findByRole('textbox', { name: 'Hours' }), 'evening{Tab}')
  await screen.findByText('Must be hours such as 5–8 PM or 17–20.')
  expect(address()).toBe(DAY)
})

test('rows name their zone where several are listed', async () => {
  openConsole(DAY, { api })
  const one = (await screen.findByText('2026-07-05 09:00:00')).closest('tr') as HTMLElement
  expect(within(one).queryByText('CDT')).toBeNull()
  cleanup()
  api.answer(adLog.summary, () => ({ data: { ...emptySummary, zones: ['America/Chicago', 'Pacific/Honolulu'] } }))
  openConsole(DAY, { api })
  const other = (await screen.findByText('2026-07-05 09:00:00')).closest('tr') as HTMLElement
  await within(other).findByText('CDT')
  screen.getByText(/^Days, hours and times are those of each market: America\/Chicago, Pacific\/Honolulu\./)
})

test('drivers are a filter of staff who may look them up', async () => {
  const { address } = openConsole(DAY, { api })
  await pick('Driver', /^Dana Brooks$/)
  await waitFor(() => expect(address()).toBe(`${DAY}&driver=${DRIVER}`))
  await waitFor(() => expect(api.sentTo(adLog.summary).at(-1)?.query.get('driver')).toBe(DRIVER))
  cleanup()
  openConsole(DAY, { api, user: someUser('client', ['overview']) })
  await screen.findByText('2026-07-05 09:00:00')
  expect(screen.queryByRole('combobox', { name: 'Driver' })).toBeNull()
})

test('a play is placed by its SD address, from the center of its market, or by its coordinates', () => {
  const at = { ...aPlay, latitude: 32.75, longitude: -96.8 }
  expect(placeText({ ...at, address: { uid: SUMMER, name: 'Elm Street' } })).toBe('At Elm Street')
  expect(placeText(at)).toBe('2.1 mi S of Dallas')
  expect(placeText({ ...at, latitude: 32.78, longitude: -96.9 })).toBe('5.8 mi W of Dallas')
  expect(placeText({ ...at, marketCenter: null })).toBe('32.7500, -96.8000')
  expect(placeText(aPlay)).toBeUndefined()
})
