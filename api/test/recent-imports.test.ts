import { auditLog, type ImportKindName, imports, type ModuleKey, shiftPlanChanges, users } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { csvOf, importCalls } from '../src/platform/imports/test-import.ts'

const world = await openWorld()
const { addUser, call, db, people, sweep } = world

const users1 = importCalls(world, 'users')
const rates = importCalls(world, 'pay-rates')
const trucks = importCalls(world, 'trucks')

let count = 0
const newEmails = (some: number) => Array.from({ length: some }, () => `import-${++count}@example.com`)
const userFile = (emails: readonly string[], phone = '') =>
  csvOf(['Name', 'Email', 'Phone'], ...emails.map((email) => [`Name of ${email}`, email, phone]))
const rateFile = (emails: readonly string[], day: string, dollars = '100') =>
  csvOf(
    ['Email', 'Valid from', 'Half day', '8-hour day', '12-hour day'],
    ...emails.map((email) => [email, day, dollars, '200', '300']),
  )
const saved = async (calls: ReturnType<typeof importCalls>, file: string, token?: string) => {
  const { status, body, text } = await calls.both(file, token === undefined ? {} : { token })
  expect(status, text).toBe(200)
  return body.data
}
const entries = async (query: object = {}, token = people.admin.token) =>
  (await call(imports.list, { query: { pageSize: '200', ...query } }, { token })).body.data
const entryOf = async (uid: string | null, token?: string) =>
  (await entries({}, token)).find((entry) => entry.uid === uid)
const usersBy = async (emails: readonly string[]) => {
  const { body } = await call(users.list, { query: { pageSize: '200', deleted: 'shown' } })
  return emails.map((email) => body.data.find((user) => user.email === email))
}

describe('importing users, then pay rates', () => {
  test('is undone in the other order, and leaves nothing', async () => {
    const emails = newEmails(3)
    const first = await saved(users1, userFile(emails))
    expect(first.addedUids).toHaveLength(3)
    const second = await saved(rates, rateFile(emails.slice(0, 2), '2026-01-01'))
    const third = await saved(rates, rateFile(emails.slice(0, 1), '2026-02-01'))

    const refused = await users1.undo(first.undoUid)
    expect([refused.status, refused.error.error]).toEqual([
      409,
      `This can't be undone before a later import, pay-rates.csv (Pay rates), which changed Name of ${emails[0]}. Undo that one first.`,
    ])
    expect((await entryOf(first.undoUid))?.obstacle).toBe(refused.error.error)
    expect((await usersBy(emails)).map((user) => [user?.deletedAt, user?.payRates.length])).toEqual([
      [null, 2],
      [null, 1],
      [null, 0],
    ])

    for (const run of [third, second]) expect((await rates.undo(run.undoUid)).status).toBe(200)
    expect((await entryOf(first.undoUid))?.obstacle).toBeNull()
    const undone = await users1.undo(first.undoUid)
    expect([undone.status, undone.body.data]).toEqual([200, { removed: 3, restored: 0 }])
    for (const user of await usersBy(emails)) expect([user?.payRates, user?.deletedAt === null]).toEqual([[], false])
  })

  test('what it changed is exactly as before, through a second import', async () => {
    const emails = newEmails(2)
    await saved(users1, userFile(emails, '555-0100'))
    const before = await usersBy(emails)
    const changed = await saved(users1, userFile(emails, '555-0199'))
    expect(changed.addedUids).toEqual([])
    const rated = await saved(rates, rateFile(emails, '2026-01-01'))
    expect((await rates.undo(rated.undoUid)).status).toBe(200)
    expect((await users1.undo(changed.undoUid)).body.data).toEqual({ removed: 0, restored: 2 })
    const plain = (user: (typeof before)[number]) => ({ ...user, version: 0, updatedAt: '' })
    expect((await usersBy(emails)).map(plain)).toEqual(before.map(plain))
  })

  test('a change by hand stays in the way, also below a later import', async () => {
    const emails = newEmails(1)
    const first = await saved(users1, userFile(emails))
    await db.updateTable('user_account').set({ phone: '555-0111' }).where('email', 'in', emails).execute()
    const second = await saved(rates, rateFile(emails, '2026-01-01'))
    const sentence = `This can't be undone, because it was changed since: Name of ${emails[0]}.`
    expect((await users1.undo(first.undoUid)).error.error).toBe(sentence)
    expect((await rates.undo(second.undoUid)).status).toBe(200)
    expect((await users1.undo(first.undoUid)).error.error).toBe(sentence)
    expect((await entryOf(first.undoUid))?.obstacle).toBe(sentence)
  })

  test('two undone at once: each is undone once', async () => {
    const emails = newEmails(2)
    const first = await saved(users1, userFile(emails))
    const second = await saved(rates, rateFile(emails, '2026-01-01'))
    const statuses = await Promise.all([
      rates.undo(second.undoUid),
      rates.undo(second.undoUid),
      users1.undo(first.undoUid),
    ])
    expect(statuses.map(({ status }) => status).filter((status) => ![200, 409].includes(status))).toEqual([])
    expect(statuses.slice(0, 2).filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('a user who came by an import that was undone returns with the next, payroll number included', async () => {
    const [email = ''] = newEmails(1)
    const file = (name: string) => csvOf(['Name', 'Email', 'Employee no'], [name, email, `N-${count}`])
    const first = await saved(users1, file('First name'))
    await users1.undo(first.undoUid)
    const { body } = await users1.check(file('Second name'))
    expect(body.data.rows.map(({ state, remarks }) => [state, remarks])).toEqual([
      ['new', { email: 'Was deleted before the first sign-in, and returns.' }],
    ])
    const second = await saved(users1, file('Second name'))
    expect(second.addedUids).toEqual(first.addedUids)
    expect(await usersBy([email])).toMatchObject([{ name: 'Second name', deletedAt: null }])
    expect((await users1.undo(second.undoUid)).body.data).toEqual({ removed: 1, restored: 0 })
    await db.updateTable('user_account').set({ password_hash: 'set' }).where('email', '=', email).execute()
    expect((await users1.check(file('Third name'))).body.data.rows[0]?.problems.email).toBe(
      'This email address belongs to a deleted user. Restore that user first.',
    )
  })
})

describe('recent imports', () => {
  test('say what, who, when, how much, and until when they can be undone', async () => {
    const file = csvOf(['Number', 'Type'], ['R-1', 'LED'], ['R-2', 'LED'], ['R-3', 'boat'])
    const { undoUid } = await saved(trucks, file)
    const entry = await entryOf(undoUid)
    expect(entry).toMatchObject({
      kind: 'trucks',
      fileName: 'trucks.csv',
      by: { uid: people.admin.uid },
      added: 2,
      changed: 0,
      skipped: 1,
      undone: null,
      obstacle: null,
    })
    expect(Date.parse(entry?.undoUntil ?? '') - Date.parse(entry?.at ?? '')).toBe(24 * 3_600_000)
    expect((await entries())[0]?.uid).toBe(undoUid)
    const page = (await call(imports.list, { query: { page: '2', pageSize: '1' } })).body
    expect([page.data.length, page.page, page.total]).toEqual([1, 2, (await entries()).length])
    expect((await entries({ kind: 'markets' })).length).toBe(0)
  })

  test('are listed and undone by those who may import the kind, also if others imported', async () => {
    const modules: ModuleKey[] = ['clients', 'schedule']
    const [seller, other] = [await addUser('sales', modules), await addUser('sales', modules)]
    const clients = importCalls(world, 'clients')
    const mine = await saved(clients, csvOf(['Client'], ['Imported Client']), seller.token)
    const truckRun = await saved(trucks, csvOf(['Number', 'Type'], ['R-9', 'LED']))
    const kinds = new Set((await entries({}, other.token)).map(({ kind }): ImportKindName => kind))
    expect([...kinds]).toEqual(['clients'])
    expect((await trucks.undo(truckRun.undoUid, other.token)).status).toBe(403)
    expect((await call(imports.undo, { body: { kind: 'clients', uid: truckRun.undoUid ?? '' } }, other)).status).toBe(
      404,
    )
    expect((await entryOf(truckRun.undoUid))?.undone).toBeNull()

    expect((await clients.undo(mine.undoUid, other.token)).body.data).toEqual({ removed: 1, restored: 0 })
    expect(await entryOf(mine.undoUid)).toMatchObject({ by: { uid: seller.uid }, undone: { by: { uid: other.uid } } })
    const { error } = await clients.undo(mine.undoUid, seller.token)
    expect(error.error).toBe('This was undone already.')
    const driver = await addUser('driver')
    expect((await call(imports.list, { query: {} }, driver)).status).toBe(403)
    const { data } = (await call(auditLog.list, { query: { kind: 'importUndone' } })).body
    expect(data[0]?.by?.uid).toBe(other.uid)
  })

  test('of shifts are undone by the way back of the board, from either side', async () => {
    const market = await world.addMarket('Waco')
    const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
    const client = program.client.name
    const [email = ''] = newEmails(1)
    await saved(users1, userFile([email]))
    await saved(trucks, csvOf(['Number', 'Type'], ['S-1', 'LED']))
    const shifts = importCalls(world, 'shifts')
    const file = (day: string) =>
      csvOf(
        ['Date', 'Start', 'End', 'Truck', 'Driver', 'Client', 'Program', 'Market'],
        [day, '8am', '4pm', 'S-1', email, client, program.name, market.name],
      )
    const [one, two] = [await saved(shifts, file('2026-07-06')), await saved(shifts, file('2026-07-07'))]
    expect(await entryOf(one.undoUid)).toMatchObject({ kind: 'shifts', added: 1, changed: 0, obstacle: null })
    const other = await addUser('sales', ['schedule'])
    expect((await shifts.undo(one.undoUid, other.token)).body.data).toEqual({ removed: 1, restored: 0 })
    expect((await call(shiftPlanChanges.undo, { body: { uid: two.undoUid ?? '' } }, other)).status).toBe(404)
    expect((await call(shiftPlanChanges.undo, { body: { uid: two.undoUid ?? '' } })).status).toBe(200)
    expect((await entryOf(two.undoUid))?.obstacle).toBe('This was undone already.')
  })

  test('stay listed for 90 days, and forget what they changed after a day', async () => {
    const { undoUid } = await saved(trucks, csvOf(['Number', 'Type'], ['R-20', 'LED']))
    const age = (days: number) =>
      db
        .updateTable('import_run')
        .set({ at: sql`now() - ${days} * interval '1 day'` })
        .where('uid', '=', undoUid)
        .execute()
    const states = async () =>
      (await db.selectFrom('import_run').select('states').where('uid', '=', undoUid).executeTakeFirst())?.states
    await sweep()
    expect(await states()).toHaveLength(1)
    await age(2)
    const sentence = 'Only imports of the last 24 hours can be undone.'
    expect((await trucks.undo(undoUid)).error.error).toBe(sentence)
    await sweep()
    expect(await states()).toBeNull()
    expect(await entryOf(undoUid)).toMatchObject({ added: 1, undone: null, obstacle: sentence })
    expect((await trucks.undo(undoUid)).error.error).toBe(sentence)
    await age(91)
    await sweep()
    expect(await states()).toBeUndefined()
  })
})
