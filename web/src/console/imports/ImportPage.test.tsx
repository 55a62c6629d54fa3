import { imports } from '@roadshow/contract/console/imports'
import type { ImportResult, ImportRunEntry } from '@roadshow/contract/console/imports'
import { users } from '@roadshow/contract/catalog/users'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import type { ImportRow } from '@roadshow/contract/platform/imports'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

const user = userEvent.setup({ delay: null })
const csv = new File(['Truck #,Blech\nT-1,P-1'], 'fleet.csv', { type: 'text/csv' })
const UNDO = '01900000-0000-7000-8000-000000000001'
let api: FakeApi

const row = (number: number, more: Partial<ImportRow> = {}): ImportRow => ({
  row: number,
  state: 'new',
  cells: { number: `T-${number}`, kind: 'led' },
  problems: {},
  remarks: {},
  ...more,
})

function answered(rows: ImportRow[], more: Partial<ImportResult> = {}): { data: ImportResult } {
  const counts = { new: 0, changed: 0, same: 0, wrong: 0 }
  for (const { state } of rows) counts[state]++
  const data: ImportResult = {
    saved: false,
    digest: 'as checked',
    counts,
    records: { new: counts.new, changed: counts.changed },
    inactive: 0,
    headerRow: 1,
    headings: [
      { title: 'Truck #', column: 'number', isLeftOut: false, example: 'T-1' },
      { title: 'Blech', column: null, isLeftOut: false, example: 'P-1' },
    ],
    problem: null,
    rows,
    undoUid: null,
    addedUids: [],
    ...more,
  }
  return { data }
}

const wrong = row(4, {
  state: 'wrong',
  cells: { number: 'T-4', kind: 'boat' },
  problems: { kind: 'Must be LED screens or Printed boards.' },
})
const changed = row(3, { state: 'changed', remarks: { kind: 'Was Printed boards.' } })

let recent: ImportRunEntry[]
const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const dana = { uid: uidOf(7), name: 'Dana' }
const imported = (n: number, more: Partial<ImportRunEntry> = {}): ImportRunEntry => ({
  uid: uidOf(n),
  kind: 'trucks',
  fileName: `file-${n}.csv`,
  at: '2026-11-19T15:00:00.000Z',
  by: dana,
  added: 2,
  changed: 1,
  skipped: 3,
  undoUntil: '2026-11-20T15:00:00.000Z',
  undone: null,
  obstacle: null,
  ...more,
})

beforeEach(() => {
  api = fakeApi()
  recent = []
  api.answer(imports.list, () => ({ data: recent, page: 1, pageSize: 10, total: recent.length }))
})
afterEach(cleanup)

const choose = async () => user.upload(await screen.findByLabelText('Choose a file'), csv)
const sentBodies = () => api.sentTo(imports.run).map(({ body }) => body)

test('shows what saving would do, takes a correction in place, saves and undoes', async () => {
  api.answer(imports.run, ({ body }) => {
    const { save, corrections = [] } = body as { save: boolean; corrections?: unknown[] }
    const rows = [row(2), changed, corrections.length > 0 ? row(4) : wrong]
    return answered(rows, save ? { saved: true, undoUid: UNDO } : {})
  })
  api.answer(imports.undo, () => ({ data: { removed: 2, restored: 1 } }))
  openConsole('/import?kind=trucks', { api })
  await choose()
  expect(await screen.findByText('3 rows: 1 new truck, 1 changed truck, 1 row with errors.')).toBeVisible()
  const table = screen.getByRole('table')
  expect(within(table).getByText('Must be LED screens or Printed boards.')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Correct Kind, row 4' }))
  await user.clear(screen.getByRole('textbox', { name: 'Kind, row 4' }))
  await user.type(screen.getByRole('textbox', { name: 'Kind, row 4' }), 'led{Enter}')
  await user.click(screen.getByRole('button', { name: 'Check 1 corrected cell' }))
  expect(await screen.findByText('3 rows: 2 new trucks, 1 changed truck.')).toBeVisible()
  expect(sentBodies().at(-1)).toMatchObject({ save: false, corrections: [{ row: 4, column: 'kind', text: 'led' }] })

  await user.click(screen.getByRole('checkbox', { name: 'Change 1 truck' }))
  await user.click(screen.getByRole('button', { name: 'Save 2 trucks' }))
  expect(await screen.findByText('Saved: 2 new trucks and 0 changed trucks.')).toBeVisible()
  expect(sentBodies().at(-1)).toMatchObject({
    save: true,
    digest: 'as checked',
    skip: ['changed'],
    corrections: [{ row: 4, column: 'kind', text: 'led' }],
  })

  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Import undone: 2 deleted, 1 as before.')).toBeVisible()
  expect(screen.getByLabelText('Choose a file')).toBeInTheDocument()
})

test('has columns chosen by hand where no heading is known', async () => {
  const PROBLEM = 'Missing column: Number.'
  api.answer(imports.run, ({ body }) =>
    (body as { columns?: unknown }).columns ? answered([row(2)]) : answered([], { problem: PROBLEM }),
  )
  openConsole('/import?kind=trucks', { api })
  await choose()
  expect(await screen.findByText(PROBLEM)).toBeVisible()
  await user.click(screen.getByRole('combobox', { name: 'What Blech holds' }))
  await user.click(await screen.findByTitle('Plate'))
  await user.click(screen.getByRole('button', { name: 'Use these columns' }))
  expect(await screen.findByRole('button', { name: 'Save 1 truck' })).toBeEnabled()
  expect(sentBodies().at(-1)).toMatchObject({ columns: ['number', 'plate'] })
})

test('says why an undo is refused', async () => {
  api.answer(imports.run, ({ body }) =>
    answered([row(2)], (body as { save: boolean }).save ? { saved: true, undoUid: UNDO } : {}),
  )
  const text = "This can't be undone. T-2 has shifts by now."
  api.respond(imports.undo, () => refusal('undoRefused', { error: text }))
  openConsole('/import?kind=trucks', { api })
  await choose()
  await user.click(await screen.findByRole('button', { name: 'Save 1 truck' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText(text)).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeEnabled()
})

test('offers the kinds that the user may add', async () => {
  openConsole('/import', { api, user: someUser('sales', ['clients']) })
  await user.click(await screen.findByRole('combobox', { name: 'What to import' }))
  await waitFor(() => expect(screen.getByTitle('SD addresses')).toBeVisible())
  const shown = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(shown).not.toContain('Trucks')
  expect(screen.queryByTitle('Users')).toBeNull()
  expect(screen.queryByTitle('Pay rates')).toBeNull()
})

describe('recent imports', () => {
  const shownRows = async () => within(await screen.findByRole('table', { name: 'Recent imports' })).getAllByRole('row')

  test('say what was imported, by whom, and whether it can be undone', async () => {
    recent = [
      imported(1),
      imported(2, { kind: 'pay-rates', undone: { at: '2026-11-19T16:00:00.000Z', by: dana } }),
      imported(3, { obstacle: "This can't be undone. T-1 has shifts by now." }),
      imported(4, { kind: 'users' }),
    ]
    openConsole('/import', { api, user: someUser('sales', ['trucks', 'clients']) })
    const rows = await shownRows()
    const at = (time: string) => formatMoment(time, localZone())
    expect(rows[1]?.textContent).toContain(`file-1.csvTrucks${at('2026-11-19T15:00:00.000Z')} by Dana213`)
    expect(rows[1]?.textContent).toContain(`Until ${at('2026-11-20T15:00:00.000Z')}`)
    expect(rows[2]?.textContent).toContain(`Pay rates`)
    expect(rows[2]?.textContent).toContain(`Undone ${at('2026-11-19T16:00:00.000Z')} by Dana`)
    expect(rows[3]?.textContent).toContain("This can't be undone. T-1 has shifts by now.")
    // Users who may not import a kind undo none of it.
    expect(screen.queryByRole('button', { name: 'Undo file-4.csv' })).toBeNull()
  })

  test('are undone after one question, and the list follows', async () => {
    recent = [imported(1)]
    api.answer(imports.undo, () => {
      recent = [imported(1, { undone: { at: '2026-11-19T16:00:00.000Z', by: dana } })]
      return { data: { removed: 2, restored: 1 } }
    })
    openConsole('/import', { api })
    await user.click(await screen.findByRole('button', { name: 'Undo file-1.csv' }))
    const dialog = await findDialog('Undo this import?')
    expect(dialog.textContent).toContain('file-1.csv · 2 added trucks are deleted. 1 changed truck is as before.')
    expect(api.sentTo(imports.undo)).toHaveLength(0)
    await user.click(within(dialog).getByRole('button', { name: 'Undo import' }))
    expect(await screen.findByText('Import undone: 2 deleted, 1 as before.')).toBeVisible()
    expect(api.sentTo(imports.undo).map(({ body }) => body)).toEqual([{ kind: 'trucks', uid: uidOf(1) }])
    expect(await screen.findByText(/^Undone /)).toBeVisible()
  })

  test('say why undoing was refused', async () => {
    recent = [imported(1)]
    const text = "This can't be undone, because it was changed since: T-2."
    api.respond(imports.undo, () => refusal('undoRefused', { error: text }))
    openConsole('/import', { api })
    await user.click(await screen.findByRole('button', { name: 'Undo file-1.csv' }))
    await user.click(within(await findDialog('Undo this import?')).getByRole('button', { name: 'Undo import' }))
    expect(await screen.findByText(text)).toBeVisible()
  })
})

test('invites the users that an import added, in calls of two hundred, and goes on after a failure', async () => {
  const addedUids = Array.from({ length: 250 }, (_, at) => uidOf(1000 + at))
  api.answer(imports.run, ({ body }) =>
    answered([row(2)], (body as { save: boolean }).save ? { saved: true, undoUid: UNDO, addedUids } : {}),
  )
  let failures = 1
  api.respond(users.sendInvitations, ({ body }) => {
    const { userUids } = body as { userUids: string[] }
    if (userUids.length === 50 && failures-- > 0) return refusal('tooMany', { error: 'Please try again in 4 seconds.' })
    return new Response(JSON.stringify({ data: { sent: userUids.length, skipped: [] } }), {
      headers: { 'content-type': 'application/json' },
    })
  })
  openConsole('/import?kind=users', { api })
  await choose()
  await user.click(await screen.findByRole('button', { name: /^Save/ }))
  await user.click(await screen.findByRole('button', { name: 'Send 250 invitations' }))
  const dialog = await findDialog('Send 250 invitations?')
  await user.click(within(dialog).getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('Please try again in 4 seconds.')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('250 invitations on the way.')).toBeVisible()
  const sent = api.sentTo(users.sendInvitations)
  expect(sent.map(({ body }) => (body as { userUids: string[] }).userUids.length)).toEqual([200, 50, 50])
  // The call that failed is sent again under its key.
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([false, true])
  await waitFor(() => expect(screen.queryByRole('button', { name: /invitations$/ })).toBeNull())
})
