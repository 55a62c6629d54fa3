import { expect, test, vi } from 'vitest'
import { ApiError } from '../../api/call.ts'
import type { ClassicColumn } from './columns.ts'
import { createTableEdits } from './edits.ts'
import type { EditsSource } from './editsStore.ts'

interface Row {
  uid: string
  name: string
  note: string
  version: number
}

const columns: ClassicColumn<Row>[] = [
  { key: 'name', label: 'Name', width: 100, text: ({ name }) => name, edit: { kind: 'text' } },
  { key: 'uid', label: 'Id', width: 100, text: ({ uid }) => uid },
  { key: 'note', label: 'Note', width: 100, text: ({ note }) => note, edit: { kind: 'text' } },
]

const row = (uid: string, more: Partial<Row> = {}): Row => ({ uid, name: `Name ${uid}`, note: '', version: 1, ...more })

type Save = NonNullable<EditsSource<Row>['save']>

function table(rows: Row[], more: Partial<EditsSource<Row>> = {}) {
  const save = vi.fn<Save>(() => Promise.resolve())
  const edits = createTableEdits<Row>({
    columns,
    lines: rows.map((each) => ({ key: each.uid, row: each, preset: {} })),
    rowKey: ({ uid }) => uid,
    reload: () => Promise.resolve(rows),
    save,
    ...more,
  })
  const line = (key: string) => ({ key, row: rows.find(({ uid }) => uid === key), preset: {} })
  return { edits, save, line }
}

test('only what was changed is saved, on top of the row that was read', async () => {
  const { edits, save, line } = table([row('a'), row('b')])
  edits.type(line('a'), 'note', 'x')
  edits.type(line('b'), 'note', 'y')
  // Typed back, it is no edit any more.
  edits.type(line('b'), 'note', '')
  expect(Object.keys(edits.all())).toEqual(['a'])
  expect(await edits.saveAll()).toBe(1)
  expect(save.mock.calls.map(([base, changes]) => [base, changes])).toEqual([[row('a'), { note: 'x' }]])
  expect(edits.isEdited()).toBe(false)
})

test('pasted rows fill lines from the cell on, skip what is only read, and are added behind the last', async () => {
  const { edits, save, line } = table([row('a'), row('b')])
  const cells = [
    ['B2', 'not taken', 'second'],
    ['C', '', 'third'],
  ]
  expect(edits.paste({ from: line('b'), column: 'name', cells, preset: {} })).toBe(0)
  const [added] = edits.added()
  expect(edits.of('a')).toBeUndefined()
  expect(edits.of('b')?.typed).toEqual({ name: 'B2', note: 'second' })
  expect(edits.of(added?.key ?? '')?.typed).toEqual({ name: 'C', note: 'third' })
  const shown: (string | undefined)[] = []
  edits.subscribe(() => {
    const now = edits.progress()
    shown.push(now && `${now.done} of ${now.of}`)
  })
  expect(await edits.saveAll()).toBe(2)
  expect(shown.filter((each) => each !== undefined)).toEqual(expect.arrayContaining(['0 of 2', '1 of 2']))
  expect(save.mock.calls.map(([base, changes]) => [base?.uid, changes])).toEqual([
    ['b', { name: 'B2', note: 'second' }],
    [undefined, { name: 'C', note: 'third' }],
  ])
  expect(edits.added()).toEqual([])
})

test('where nothing may be added, rows without a place are counted, and titles that were copied along are left out', () => {
  const { edits, line } = table([row('a')])
  const cells = [
    ['Name', 'Id', 'Note'],
    ['A1', '', ''],
    ['A2', '', ''],
  ]
  expect(edits.paste({ from: line('a'), column: 'name', cells, preset: undefined })).toBe(1)
  expect(edits.of('a')?.typed).toEqual({ name: 'A1' })
})

test('pasted rows are checked: by what can be read here, then by the server', async () => {
  const check = vi.fn<NonNullable<EditsSource<Row>['check']>>(() => Promise.resolve({ note: 'Too short.' }))
  const { edits, line } = table([row('a')], { check })
  edits.paste({ from: line('a'), column: 'name', cells: [['A1', '', 'x']], preset: {} })
  await vi.waitFor(() => expect(edits.of('a')?.errors).toEqual({ note: 'Too short.' }), { timeout: 8_000 })
  expect(check).toHaveBeenCalledWith(row('a'), { name: 'A1', note: 'x' })
})

test('a refusal stands at its cell, and what belongs to no cell at the row; the others are saved all the same', async () => {
  const save = vi.fn<Save>((base) =>
    base?.uid === 'a'
      ? Promise.reject(
          new ApiError(400, { error: 'Check the fields.', fields: { name: 'Required.', 'markets.0': 'No.' } }),
        )
      : Promise.resolve(),
  )
  const { edits, line } = table([row('a'), row('b')], { save })
  edits.type(line('a'), 'name', '')
  edits.type(line('b'), 'name', 'B2')
  expect(await edits.saveAll()).toBe(1)
  expect(edits.of('a')).toMatchObject({ errors: { name: 'Required.' }, problem: 'Check the fields. No.' })
  expect(edits.of('b')).toBeUndefined()
})

test('someone else’s change keeps what was typed, tells what they wrote, and is overwritten only knowingly', async () => {
  const rows = [row('a')]
  const stale = new ApiError(409, { error: 'Someone changed this record meanwhile.', code: 'staleVersion' })
  const save = vi.fn<Save>((base) => (base?.version === 1 ? Promise.reject(stale) : Promise.resolve()))
  const theirs = row('a', { name: 'Theirs', note: 'new', version: 2 })
  const { edits, line } = table(rows, { save, reload: () => Promise.resolve([theirs]) })
  edits.type(line('a'), 'name', 'Mine')
  expect(await edits.save('a')).toBe(0)
  expect(edits.of('a')).toMatchObject({ isStale: true, typed: { name: 'Mine' } })
  await edits.rebase('a')
  expect(edits.of('a')).toMatchObject({ isStale: false, typed: { name: 'Mine' }, notes: { name: 'Now: Theirs' } })
  expect(await edits.save('a')).toBe(1)
  expect(save.mock.lastCall?.slice(0, 2)).toEqual([theirs, { name: 'Mine' }])
})

test('a line that is added twice by a bad connection carries the same key', async () => {
  const save = vi.fn<Save>()
  save.mockRejectedValueOnce(new ApiError(0, { error: 'The server cannot be reached.' })).mockResolvedValueOnce({})
  const { edits } = table([], { save })
  const key = edits.add({ name: 'New' })
  const line = { key, row: undefined, preset: { name: 'New' } }
  edits.type(line, 'note', 'x')
  expect(await edits.save(key)).toBe(0)
  expect(edits.of(key)?.problem).toBe('The server cannot be reached.')
  expect(await edits.save(key)).toBe(1)
  const [first, second] = save.mock.calls
  expect(first?.[1]).toEqual({ name: 'New', note: 'x' })
  expect(first?.[2]).toBe(second?.[2])
})

test('what was typed comes back after a forced sign-out, on top of the version it began with', async () => {
  const before = table([row('a')])
  before.edits.type(before.line('a'), 'note', 'x')
  before.edits.type({ key: before.edits.add(), row: undefined, preset: {} }, 'name', 'New')
  const kept = JSON.parse(JSON.stringify(before.edits.typed())) as ReturnType<typeof before.edits.typed>
  const { edits, save } = table([row('a', { name: 'Changed by another', version: 2 })])
  edits.restore(kept)
  expect(edits.added()).toHaveLength(1)
  await edits.saveAll()
  expect(save.mock.calls.map(([base, changes]) => [base, changes])).toEqual([
    [row('a'), { note: 'x' }],
    [undefined, { name: 'New', note: '' }],
  ])
})
