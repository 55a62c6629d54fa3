import { clients } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeEach, expect, test } from 'vitest'
import { csvOf, importCalls } from '../../platform/imports/test-import.ts'

const world = await openWorld()
const { call, db, people } = world
const { check, both, undo, exported, exportedWithout } = importCalls(world, 'clients')

beforeEach(async () => {
  await db.updateTable('client').set({ deleted_at: new Date() }).where('deleted_at', 'is', null).execute()
})
const add = async (name: string, more: object = {}) =>
  (await call(clients.create, { body: { name, ...more } })).body.data
const kept = async () =>
  (await call(clients.list, { query: {} })).body.data.map(({ name, contacts, note }) => [
    name,
    contacts.map((person) => [person.name, person.title, person.email, person.phone].join('/')),
    note,
  ])

test('rows of one client are its contacts; a row without a person’s name has the client’s', async () => {
  const file = csvOf(
    ['Company', 'Contact person', 'E-mail', 'Phone', 'Notes'],
    ['Acme', 'Kim Park', 'KIM@example.com', '713 555 0170', 'Pays late'],
    ['ACME', 'Lee', '', '', ''],
    ['Bolt', '', 'office@bolt.example', '', ''],
  )
  const differing = (await check(file.replace('Lee,,,', 'Lee,,,Pays early'))).body.data
  expect(differing.rows[1]?.problems).toEqual({ note: 'Row 2 has another value.' })
  expect((await both(file)).body.data.records).toEqual({ new: 2, changed: 0 })
  expect(await kept()).toEqual([
    ['Acme', ['Kim Park//kim@example.com/713 555 0170', 'Lee///'], 'Pays late'],
    ['Bolt', ['Bolt//office@bolt.example/'], ''],
  ])
  // An empty cell says nothing where another row of the client says something.
  expect((await check(file)).body.data.counts).toMatchObject({ same: 3, wrong: 0 })
})

test('a wrong cell is named, and the rows of its client wait', async () => {
  const file = csvOf(['Client', 'Contact', 'Email'], ['Acme', 'Kim', 'kim'], ['Acme', 'Lee', ''], ['Bolt', '', ''])
  const { rows } = (await check(file)).body.data
  expect(rows.map(({ state, problems }) => [state, problems])).toEqual([
    ['wrong', { contactEmail: 'Not a valid email address.' }],
    ['wrong', { name: 'Belongs to row 2 with errors.' }],
    ['new', {}],
  ])
})

test('contacts add to those there are, and the import is undone', async () => {
  await add('Acme', { contacts: [{ name: 'Kim', email: 'kim@example.com' }], note: 'Old' })
  const file = csvOf(
    ['Client', 'Contact', 'Email', 'Note'],
    ['acme', 'Kim Park', 'kim@example.com', 'New'],
    ['New one', '', '', ''],
  )
  const { rows } = (await check(file)).body.data
  expect(rows[0]?.remarks).toMatchObject({ note: 'Was Old.' })
  const { undoUid } = (await both(file)).body.data
  expect(await kept()).toEqual([
    ['acme', ['Kim Park//kim@example.com/'], 'New'],
    ['New one', [], ''],
  ])
  expect((await undo(undoUid)).body.data).toEqual({ removed: 1, restored: 1 })
  expect(await kept()).toEqual([['Acme', ['Kim//kim@example.com/'], 'Old']])
})

test('export, import, export: the same', async () => {
  await add('Acme', {
    contacts: [
      { name: 'Park, Kim', title: 'VP, sales', email: 'kim@example.com', phone: '713 555 0170' },
      { name: 'Lee', phone: '+1 713 555 0171' },
      { name: 'No more' },
    ],
    note: '=1+1\nsecond "line"',
  })
  await add('Bolt')
  const file = await exported()
  expect((await check(file)).body.data.counts).toEqual({ new: 0, changed: 0, same: 2, wrong: 0 })
  const before = await exportedWithout('Updated')
  await db.updateTable('client').set({ deleted_at: new Date() }).execute()
  await both(file)
  expect(await exportedWithout('Updated')).toEqual(before)
})

test('is for those who may add clients', async () => {
  const file = csvOf(['Client'], ['Acme'])
  for (const role of ['driver', 'client'] as const) {
    expect([role, (await check(file, { token: people[role].token })).status]).toEqual([role, 403])
  }
  expect((await check(file, { token: people.sales.token })).status).toBe(200)
})

test('10,000 clients are imported', async () => {
  const lines = Array.from({ length: 10_000 }, (_, n) => [`Client ${n}`, `Person ${n}`, `p${n}@example.com`])
  const { records, undoUid } = (await both(csvOf(['Client', 'Contact', 'Email'], ...lines))).body.data
  expect(records).toEqual({ new: 10_000, changed: 0 })
  expect((await undo(undoUid)).body.data.removed).toBe(10_000)
}, 240_000)
