import { defaultSettings, settings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { incidents } from '@roadshow/contract/console/incidents'
import type { Incident } from '@roadshow/contract/console/incidents'
import { services } from '@roadshow/contract/console/services'
import { cleanup, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const user = userEvent.setup({ delay: null })
const paged = <Row,>(data: Row[]) => ({ data, page: 1, pageSize: 50, total: data.length })
afterEach(cleanup)

test('an admin ends an incident of the status page in the settings', async () => {
  const api = fakeApi()
  const incident: Incident = {
    uid: testUid(820),
    title: 'Uploads are slow',
    text: 'We know why.',
    startsAt: '2026-07-01T12:00:00.000Z',
    endsAt: null,
    updatedAt: '2026-07-01T12:00:00.000Z',
    version: 4,
  }
  api.answer(trucks.list, () => paged([]))
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  api.answer(incidents.list, () => paged([incident]))
  api.answer(incidents.get, () => ({ data: incident }))
  api.answer(incidents.update, () => ({ data: { ...incident, endsAt: '2026-07-01T13:00:00.000Z', version: 5 } }))
  openConsole('/trucks?settings=open', { api })
  const drawer = within(await findDialog('Settings'))
  await user.click(await drawer.findByRole('tab', { name: 'Status page' }))
  expect(drawer.getByRole('link', { name: 'status page' }).getAttribute('href')).toBe('/status')
  await user.click(await drawer.findByRole('button', { name: /Uploads are slow.*still going on/ }))
  const form = within(await findDialog('Uploads are slow'))
  const until = await form.findByRole('textbox', { name: 'Until' })
  // The time is that of this browser's clock; the call has the instant.
  const local = new Date('2026-07-01T13:00:00Z')
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${local.getFullYear()}-${two(local.getMonth() + 1)}-${two(local.getDate())}`
  await user.click(until)
  await user.type(until, `${day} ${two(local.getHours())}:${two(local.getMinutes())}{Enter}`)
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => api.sentTo(incidents.update).map(({ body }) => body))
    .toEqual([
      {
        uid: incident.uid,
        version: 4,
        title: 'Uploads are slow',
        text: 'We know why.',
        startsAt: '2026-07-01T12:00:00.000Z',
        endsAt: '2026-07-01T13:00:00.000Z',
      },
    ])
})

test('an admin sees what the server does by itself, and what failed', async () => {
  const api = fakeApi()
  api.answer(trucks.list, () => paged([]))
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  const job = { name: 'sweep', what: 'Deletes what is old.', everySeconds: 300, runsOn: 'cluster' as const }
  const lastRun = { endedAt: '2026-07-01T12:00:00.000Z', outcome: 'failed' as const, seconds: 1.5 }
  api.answer(services.jobs, () => ({
    data: [
      { ...job, lastRun },
      { ...job, name: 'miles', lastRun: null },
    ],
  }))
  openConsole('/trucks?settings=open', { api })
  const drawer = within(await findDialog('Settings'))
  await user.click(await drawer.findByRole('tab', { name: 'Background work' }))
  const rows = within(await drawer.findByRole('list', { name: 'Background work' }))
  const [first, second] = (await rows.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(first).toMatch(
    /^sweepDeletes what is old\.Runs every 5 minutes on one server at a timeFailed at .*, in 1\.5 s$/,
  )
  expect(second).toMatch(/Has not run yet$/)
})
