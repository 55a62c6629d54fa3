import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { shiftUpload } from '@roadshow/contract/planning/shift-upload'
import type { ShiftUploadResult } from '@roadshow/contract/planning/shift-upload'
import type { ImportRow } from '@roadshow/contract/platform/imports'
import { shifts } from '@roadshow/contract/planning/shifts'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { answerSchedule } from '../test-shifts.ts'

const user = userEvent.setup({ delay: null })
const csv = new File(['Date\n7/4/2026'], 'july.csv', { type: 'text/csv' })
let api: FakeApi

const row = (number: number, more: Partial<ImportRow> = {}): ImportRow => ({
  row: number,
  state: 'new',
  cells: { date: '2026-07-04', start: '08:00', end: '16:00', truck: 'T-1', driver: 'Dana Reed' },
  problems: {},
  remarks: {},
  ...more,
})

function answered(rows: ImportRow[], more: Partial<ShiftUploadResult> = {}): { data: ShiftUploadResult } {
  const counts = { new: 0, changed: 0, same: 0, wrong: 0 }
  for (const { state } of rows) counts[state]++
  return {
    data: { saved: false, digest: 'as checked', counts, inactive: 0, ignored: [], rows, undoUid: null, ...more },
  }
}

const mixed = [
  row(2),
  row(3, { state: 'changed', remarks: { driver: 'Was Lee Fox.' } }),
  row(4, { state: 'same' }),
  row(5, { state: 'wrong', problems: { truck: 'There is no truck T-9.' } }),
]

beforeEach(() => {
  api = fakeApi()
  answerSchedule(api, [])
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

async function openUpload() {
  openConsole('/schedule/program-schedule?date=2026-07-08', { api })
  await user.click(await screen.findByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Upload' }))
  return findDialog('Upload shifts')
}
const choose = async () => user.upload(await screen.findByLabelText('Choose a file'), csv)

test('shows every row with its state and its reasons, saves the good ones, and keeps the wrong ones', async () => {
  api.answer(shiftUpload.upload, ({ body }) => answered(mixed, { saved: (body as { save: boolean }).save }))
  const drawer = await openUpload()
  expect(within(drawer).getByText(/Dates are month\/day\/year/)).toBeInTheDocument()
  await choose()
  expect(await screen.findByText('4 rows: 1 new, 1 changed, 1 unchanged, 1 with errors.')).toBeInTheDocument()

  // The wrong ones are shown first; the others can be looked at too.
  const wrong = screen.getByText('There is no truck T-9.').closest('tr')
  expect(wrong?.getAttribute('data-bad')).toBe('true')
  expect(screen.queryByText('Was Lee Fox.')).toBeNull()
  await user.click(screen.getByText('All 4'))
  expect(screen.getByText('Was Lee Fox.').closest('tr')?.getAttribute('data-bad')).toBe('false')
  expect(within(screen.getByRole('region', { name: 'Rows of the file' })).getAllByRole('row')).toHaveLength(5)

  const kept: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    void (blob as Blob).text().then((text) => kept.push(text))
    return 'blob:kept'
  })
  await user.click(screen.getByRole('button', { name: 'Download rows with errors' }))
  await waitFor(() => expect(kept[0]).toContain('Truck: There is no truck T-9.'))

  const asked = api.sentTo(shifts.board).length
  await user.click(screen.getByRole('button', { name: 'Save 2 shifts' }))
  expect(
    await screen.findByText('Saved: 1 new shift and 1 changed shift. 1 row with errors skipped.'),
  ).toBeInTheDocument()
  const [checked, saved] = api.sentTo(shiftUpload.upload)
  expect([checked?.body, saved?.body]).toEqual([{ save: false }, { save: true, digest: 'as checked' }])
  const file = saved?.form?.get('file')
  expect(file instanceof File && (await file.text())).toBe('Date\n7/4/2026')
  // The board behind it shows what was saved.
  await waitFor(() => expect(api.sentTo(shifts.board).length).toBeGreaterThan(asked))
  await user.click(screen.getByRole('button', { name: 'Upload another file' }))
  expect(await screen.findByLabelText('Choose a file')).toBeInTheDocument()
})

test('what was saved is undone on request, and another file can be chosen', async () => {
  const undoUid = '01900000-0000-7000-8000-000000000001'
  api.answer(shiftUpload.upload, ({ body }) =>
    (body as { save: boolean }).save ? answered(mixed, { saved: true, undoUid }) : answered(mixed),
  )
  api.answer(shiftPlanChanges.undo, () => ({ data: { changed: [] } }))
  await openUpload()
  await choose()
  await user.click(await screen.findByRole('button', { name: 'Save 2 shifts' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone: Saved: 1 new shift and 1 changed shift.')).toBeInTheDocument()
  expect(api.sentTo(shiftPlanChanges.undo).map(({ body }) => body)).toEqual([{ uid: undoUid }])
  expect(await screen.findByLabelText('Choose a file')).toBeInTheDocument()
})

test('asks for another check when the schedule changed meanwhile', async () => {
  const text = 'The schedule changed since the check; check again.'
  api.respond(shiftUpload.upload, ({ body }) =>
    (body as { save: boolean }).save ? refusal('staleVersion', { error: text }) : Response.json(answered(mixed)),
  )
  await openUpload()
  await choose()
  await user.click(await screen.findByRole('button', { name: 'Save 2 shifts' }))
  expect(await screen.findByText(text)).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Check again' }))
  await waitFor(() => expect(screen.queryByText(text)).toBeNull())
  expect(api.sentTo(shiftUpload.upload)).toHaveLength(3)
})

test('says what is the matter with a file that is no schedule, and takes one that is dropped', async () => {
  api.respond(shiftUpload.upload, () => refusal('badInput', { error: 'The file lacks the column Truck.' }))
  const drawer = await openUpload()
  await choose()
  expect(await screen.findByText('The file lacks the column Truck.')).toBeInTheDocument()
  expect(within(drawer).getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  api.answer(shiftUpload.upload, () => answered([row(2, { state: 'same' })], { ignored: ['Phone'] }))
  fireEvent.drop(within(drawer).getByText(/july\.csv/), { dataTransfer: { files: [csv] } })
  expect(await screen.findByText('1 row: 1 unchanged.')).toBeInTheDocument()
  expect(screen.getByText(/were ignored: Phone/)).toBeInTheDocument()
})

test('of 10,000 rows those in view are drawn, and the table says how many there are', async () => {
  api.answer(shiftUpload.upload, () => answered(Array.from({ length: 10_000 }, (_, n) => row(n + 2))))
  await openUpload()
  await choose()
  expect(await screen.findByRole('button', { name: 'Save 10,000 shifts' })).toBeInTheDocument()
  const table = within(screen.getByRole('region', { name: 'Rows of the file' })).getByRole('table')
  expect(table.getAttribute('aria-rowcount')).toBe('10001')
  const drawn = within(table).getAllByRole('row').length
  expect([drawn > 10, drawn < 60]).toEqual([true, true])
})

test('is not offered to those who may not plan', async () => {
  openConsole('/schedule/program-schedule?date=2026-07-08&upload=file', { api, user: someUser('driver') })
  await screen.findByRole('grid')
  expect(screen.queryByRole('button', { name: 'More' })).toBeNull()
  expect(screen.queryByText('Upload shifts')).toBeNull()
})
