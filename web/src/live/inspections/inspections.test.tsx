import { settings, defaultSettings } from '@roadshow/contract/catalog/settings'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { inspectionItems, inspections } from '@roadshow/contract/live/inspections'
import type { Inspection, InspectionItem } from '@roadshow/contract/live/inspections'
import { cleanup, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { testTruck } from '../../test-truck.ts'

const user = userEvent.setup({ delay: null })
const paged = <Row,>(data: Row[]) => ({ data, page: 1, pageSize: 10, total: data.length })
afterEach(cleanup)

const line = { note: '', photo: null, issue: null, repair: null, nameEs: 'Luces' }
const inspection: Inspection = {
  uid: testUid(800),
  truck: { uid: testUid(1), name: 'T-1', plate: '', vin: '' },
  driver: { uid: testUid(2), name: 'Dana Brooks' },
  shift: { uid: testUid(500), date: '2026-07-01', program: 'Summer Tour', market: 'Dallas' },
  zone: 'America/Chicago',
  at: '2026-07-01T12:55:00.000Z',
  phoneAt: null,
  receivedAt: '2026-07-01T15:00:00.000Z',
  isLate: true,
  place: { latitude: 32.78, longitude: -96.8, accuracyM: 12 },
  signedBy: 'D. Brooks',
  defects: 1,
  openDefects: 1,
  lines: [
    { ...line, itemUid: testUid(801), name: 'Lights', result: 'defect', note: 'Left one is out' },
    { ...line, itemUid: testUid(802), name: 'Tires', result: 'ok' },
  ],
}

test('an inspection opens to its report, and a repair is certified once', async () => {
  const api = fakeApi()
  const { lines, ...summary } = inspection
  let repaired = inspection
  api.answer(trucks.list, () => paged([testTruck(1)]))
  api.answer(trucks.get, () => ({ data: testTruck(1) }))
  api.answer(inspections.list, () => paged([summary]))
  api.answer(inspections.get, () => ({ data: repaired }))
  api.answer(inspections.certify, () => {
    const repair = { outcome: 'repaired' as const, by: 'Avery Stone', at: '2026-07-02T14:00:00.000Z', note: 'New bulb' }
    repaired = { ...inspection, lines: lines.map((each) => (each.result === 'defect' ? { ...each, repair } : each)) }
    return { data: repaired }
  })
  openConsole(`/trucks?open=${testUid(1)}`, { api })
  const tab = within(await findDialog('Truck T-1'))
  await user.click(await tab.findByRole('tab', { name: 'Inspections' }))
  await user.click(await tab.findByRole('button', { name: /Dana Brooks.*1 defect, 1 not certified.*Sent later/ }))
  expect(await tab.findByText('Left one is out')).toBeInTheDocument()
  expect(tab.getByText('32.78000, -96.80000 (within 39 ft)')).toBeInTheDocument()
  await user.type(tab.getByRole('textbox', { name: 'Note on the repair: Lights' }), 'New bulb')
  await user.click(tab.getByRole('button', { name: 'Certify Lights: Repaired' }))
  expect(await tab.findByText(/Repaired, certified by Avery Stone, .*: New bulb/)).toBeInTheDocument()
  expect(tab.queryByRole('button', { name: /Certify/ })).not.toBeInTheDocument()
  expect(api.sentTo(inspections.certify).map(({ body }) => body)).toEqual([
    { uid: inspection.uid, itemUid: testUid(801), outcome: 'repaired', note: 'New bulb' },
  ])
})

test('an admin takes an item off the inspection list in the settings', async () => {
  const api = fakeApi()
  const item: InspectionItem = {
    uid: testUid(810),
    name: 'Coupling',
    nameEs: 'Enganche',
    position: 12,
    isActive: true,
    issueKind: 'mechanical',
    isOnEveryTruck: false,
    updatedAt: '2026-07-01T12:00:00.000Z',
    version: 4,
  }
  api.answer(trucks.list, () => paged([]))
  api.answer(settings.get, () => ({ data: { version: 1, values: defaultSettings } }))
  api.answer(inspectionItems.list, () => paged([item]))
  api.answer(inspectionItems.get, () => ({ data: item }))
  api.answer(inspectionItems.update, () => ({ data: { ...item, isActive: false, version: 5 } }))
  openConsole('/trucks?settings=open', { api })
  const drawer = within(await findDialog('Settings'))
  await user.click(await drawer.findByRole('tab', { name: 'Inspection list' }))
  await user.click(await drawer.findByRole('button', { name: /Coupling/ }))
  const form = within(await findDialog('Coupling'))
  await user.click(await form.findByRole('combobox', { name: 'On the phone' }))
  await user.click(await within(document.body).findByTitle('Left out'))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await expect
    .poll(() => api.sentTo(inspectionItems.update).map(({ body }) => body))
    .toEqual([
      {
        uid: item.uid,
        version: 4,
        name: 'Coupling',
        nameEs: 'Enganche',
        position: 12,
        isActive: false,
        issueKind: 'mechanical',
        isOnEveryTruck: false,
      },
    ])
})
