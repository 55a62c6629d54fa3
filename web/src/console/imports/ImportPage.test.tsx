import { imports } from '@roadshow/contract/console/imports'
import type { ImportResult } from '@roadshow/contract/console/imports'
import type { ImportRow } from '@roadshow/contract/platform/imports'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
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

beforeEach(() => {
  api = fakeApi()
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
