import {
  DAY_MS,
  type ModuleKey,
  type NotificationEvents,
  type NotificationKind,
  notificationKinds,
  notifications,
  type NotificationSettings,
} from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { io, type Socket } from 'socket.io-client'
import { beforeEach, describe, expect, test } from 'vitest'
import { sendDigests } from './digest.ts'
import { saveChoice } from './settings.ts'
import { notificationSockets } from './sockets.ts'
import { openOutreach } from './test-outreach.ts'
import { unsubscribeToken } from './unsubscribe-token.ts'

const world = await openWorld()
const { app, call, db, people } = world
const { env, send, tell, notice } = openOutreach(world)

const program = await world.addProgram({ name: 'Summer' })
const own = await world.addUser('client', ['pop'], program.client.uid)
const other = await world.addUser('client', ['pop'], (await world.addClient()).uid)

beforeEach(async () => {
  await db.deleteFrom('notification').execute()
  await db.deleteFrom('message').execute()
  await db.deleteFrom('notification_choice').execute()
  await db.deleteFrom('notification_setting').execute()
})

const settingsOf = async (token: string) => (await call(notifications.settings, {}, { token })).body.data
async function change(token: string, given: Partial<NotificationSettings>): Promise<void> {
  const { status } = await call(
    notifications.saveSettings,
    { body: { ...(await settingsOf(token)), ...given } },
    { token },
  )
  expect(status).toBe(200)
}
const list = async (token: string, query = {}) => (await call(notifications.list, { query }, { token })).body
const unread = async (token: string) => (await call(notifications.unread, {}, { token })).body.data.unread
const setModules = (uid: string, modules: ModuleKey[]) =>
  db.updateTable('user_account').set({ modules }).where('uid', '=', uid).execute()

const driverKinds: NotificationKind[] = ['dispatchMessage', 'shiftGiven', 'shiftMoved', 'shiftCancelled']
const adminKinds: NotificationKind[] = ['deviceOffline', 'backupFailed', 'storageFull', 'webhookPaused']

test('each kind reaches the roles and modules it is for, and a client only of its own programs', async () => {
  for (const kind of notificationKinds) await tell({ kind, programUid: program.uid })
  const kindsOf = async (uid: string) => {
    const rows = await db.selectFrom('notification').select('kind').where('user_uid', '=', uid).execute()
    return rows.map(({ kind }) => kind).toSorted()
  }
  const staff = notificationKinds.filter((kind) => !driverKinds.includes(kind))
  expect(await kindsOf(people.admin.uid)).toEqual(staff.toSorted())
  expect(await kindsOf(people.sales.uid)).toEqual(staff.filter((kind) => !adminKinds.includes(kind)).toSorted())
  expect(await kindsOf(people.driver.uid)).toEqual(driverKinds.toSorted())
  expect(await kindsOf(own.uid)).toEqual(['reportReady'])
  expect(await kindsOf(other.uid)).toEqual([])
  expect(await kindsOf(people.client.uid)).toEqual([])
})

test('a cause that is recorded twice makes one notification and one mail', async () => {
  const once = notice({ kind: 'truckDark' })
  expect(await tell(once, { only: [people.admin.uid] })).toEqual([people.admin.uid])
  expect(await tell(once, { only: [people.admin.uid] })).toEqual([])
  expect(await send()).toMatchObject([{ to: people.admin.email, subject: once.subject, kind: 'truckDark' }])
  expect(await send()).toEqual([])
})

describe('the bell', () => {
  test('shows what is unread, newest first, and counts it', async () => {
    for (const subject of ['first', 'second', 'third']) await tell({ kind: 'truckSilent', subject })
    const { token } = people.sales
    const { data, total } = await list(token, { pageSize: '2' })
    expect([data.map(({ subject }) => subject), total]).toEqual([['third', 'second'], 3])
    const [newest] = data
    const left = await call(notifications.markRead, { body: { uids: [newest?.uid ?? ''] } }, { token })
    expect(left.body.data).toEqual({ unread: 2 })
    expect((await list(token, { unread: 'only' })).data.map(({ subject }) => subject)).toEqual(['second', 'first'])
    expect(await unread(people.admin.token)).toBe(3)
  })

  test('marks as read only what was there, and only one’s own', async () => {
    await tell({ kind: 'truckSilent', subject: 'seen' })
    const [seen] = (await list(people.sales.token)).data
    await tell({ kind: 'truckSilent', subject: 'later' })
    await call(notifications.markRead, { body: { uids: [seen?.uid ?? ''] } }, { token: people.admin.token })
    expect(await unread(people.sales.token)).toBe(2)
    await call(notifications.markAllRead, { body: { until: seen?.at ?? '' } }, { token: people.sales.token })
    expect((await list(people.sales.token, { unread: 'only' })).data.map(({ subject }) => subject)).toEqual(['later'])
  })

  test('closes to what a user’s modules and client no longer open', async () => {
    await tell({ kind: 'reportReady', programUid: program.uid })
    expect(await unread(own.token)).toBe(1)
    await setModules(own.uid, [])
    expect([await unread(own.token), (await list(own.token)).total]).toEqual([0, 0])
    await setModules(own.uid, ['pop'])
    expect(await unread(own.token)).toBe(1)
    const { uid } = await world.addClient()
    await db.updateTable('client_program').set({ client_uid: uid }).where('uid', '=', program.uid).execute()
    expect(await unread(own.token)).toBe(0)
    await db
      .updateTable('client_program')
      .set({ client_uid: program.client.uid })
      .where('uid', '=', program.uid)
      .execute()
  })
})

test('open pages hear of new notifications of their own user only', async () => {
  const node = await world.openNode(() => [notificationSockets()])
  const pages: Socket<NotificationEvents>[] = []
  const open = async ({ uid, token }: { uid: string; token: string }) => {
    const page: Socket<NotificationEvents> = io(node, {
      transports: ['websocket'],
      forceNew: true,
      auth: { clientType: 'web', userUid: uid, token },
    })
    pages.push(page)
    await new Promise<void>((resolve) => page.once('connect', resolve))
    return page
  }
  const [admin, sales] = [await open(people.admin), await open(people.sales)]
  let heardBySales = 0
  sales.on('notifications-changed', () => heardBySales++)
  const heard = new Promise<void>((resolve) => admin.once('notifications-changed', resolve))
  await tell({ kind: 'backupFailed' }, { only: [people.admin.uid] })
  await heard
  expect(heardBySales).toBe(0)
  const read = new Promise<void>((resolve) => admin.once('notifications-changed', resolve))
  await call(notifications.markAllRead, { body: { until: new Date(Date.now() + 60_000).toISOString() } })
  await read
  for (const page of pages) page.close()
})

describe('rights are checked again when a mail is sent', () => {
  const states = async () => {
    const rows = await db.selectFrom('message').select(['state', 'problem']).orderBy('place').execute()
    return rows.map(({ state, problem }) => [state, problem])
  }

  test('a module that was taken away after the event ends it', async () => {
    const admin = await world.addUser('admin')
    await tell({ kind: 'truckDark' }, { only: [admin.uid] })
    await setModules(admin.uid, ['clients'])
    expect(await send()).toEqual([])
    expect(await states()).toEqual([['cancelled', 'The reader’s role and modules no longer include it.']])
  })

  test('so does deleting the user or unsubscribing; others get theirs', async () => {
    const admin = await world.addUser('admin')
    await tell({ kind: 'truckDark' }, { only: [admin.uid] })
    await db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', admin.uid).execute()
    await tell({ kind: 'reportReady', programUid: program.uid }, { only: [own.uid] })
    await tell({ kind: 'noShow' }, { only: [people.admin.uid] })
    await saveChoice(db, { userUid: people.admin.uid, kind: 'noShow', channel: 'mail' }, false)
    expect((await send()).map(({ to }) => to)).toEqual([own.email])
    expect(await states()).toEqual([
      ['cancelled', 'The account was deleted.'],
      ['sent', null],
      ['cancelled', 'The reader unsubscribed.'],
    ])
  })
})

describe('settings', () => {
  test('offer the kinds of the role with its defaults, and keep what the user chooses', async () => {
    const { choices, digestAt, quietHours } = await settingsOf(people.driver.token)
    expect(choices.map(({ kind }) => kind).toSorted()).toEqual(driverKinds.toSorted())
    expect([digestAt, quietHours]).toEqual([null, null])
    const chosen = { zone: 'America/Denver', quietHours: { from: '21:00', to: '06:30' }, digestAt: '09:15' }
    await change(people.driver.token, { ...chosen, choices: [{ kind: 'shiftGiven', mail: false, push: true }] })
    expect(await settingsOf(people.driver.token)).toMatchObject({
      ...chosen,
      choices: [{ kind: 'shiftGiven', mail: false, push: true }, { mail: true }, { mail: true }, { mail: true }],
    })
    expect((await settingsOf(people.admin.token)).choices.some(({ kind }) => kind === 'shiftDeclined')).toBe(true)
    expect((await settingsOf(people.driver.token)).choices.some(({ kind }) => kind === 'shiftDeclined')).toBe(false)
  })

  test('refuse kinds of others, unknown zones and hours that are none, and change nothing', async () => {
    const { token } = people.driver
    const before = await settingsOf(token)
    const refused = async (given: object) => {
      const answer = await call(notifications.saveSettings, { body: { ...before, ...given } }, { token })
      return [answer.status, Object.keys(answer.error.fields ?? {})]
    }
    expect(await refused({ choices: [{ kind: 'backupFailed', mail: true, push: true }] })).toEqual([400, ['choices']])
    expect(await refused({ zone: 'Mars/Base' })).toEqual([400, ['zone']])
    expect(await refused({ quietHours: { from: '07:00', to: '07:00' } })).toEqual([400, ['quietHours.to']])
    expect(await refused({ digestAt: '25:00' })).toEqual([400, ['digestAt']])
    expect(await settingsOf(token)).toEqual(before)
  })

  test('without any channel everything is still in the bell', async () => {
    const { choices } = await settingsOf(people.admin.token)
    await change(people.admin.token, { choices: choices.map((each) => ({ ...each, mail: false, push: false })) })
    await tell({ kind: 'truckDark' }, { only: [people.admin.uid] })
    expect(await send()).toEqual([])
    expect(await unread(people.admin.token)).toBe(1)
  })

  test('quiet hours hold a mail back until they end', async () => {
    const hour = (add: number) => new Date(Date.now() + add * 3_600_000).toISOString().slice(11, 16)
    await change(people.admin.token, { zone: 'UTC', quietHours: { from: hour(-1), to: hour(2) } })
    await tell({ kind: 'truckDark' }, { only: [people.admin.uid] })
    expect(await send()).toEqual([])
    expect(await unread(people.admin.token)).toBe(1)
    const { next_at } = await db.selectFrom('message').select('next_at').executeTakeFirstOrThrow()
    expect(new Date(next_at).toISOString().slice(11, 16)).toBe(hour(2))
    await db
      .updateTable('message')
      .set({ next_at: sql`now()` })
      .execute()
    expect(await send()).toHaveLength(1)
  })
})

describe('the digest', () => {
  const EIGHT = Date.parse('2026-11-17T14:00:00Z')
  const at = (instant: number) =>
    db
      .updateTable('notification')
      .set({ at: new Date(instant) })
      .execute()
  const only = { only: [people.sales.uid] }

  test('is one mail at its hour, made of what is unread and not urgent', async () => {
    await tell({ kind: 'photoWaiting', subject: 'Photos of one' }, only)
    await tell({ kind: 'campaignBehind', subject: 'Behind <b>' }, only)
    await tell({ kind: 'campaignBehind', subject: 'Read already' }, only)
    await at(EIGHT - 3_600_000)
    await sql`update notification set read_at = now() where subject = 'Read already'`.execute(db)
    expect(await send()).toEqual([])
    await sendDigests(db, { env }, EIGHT - 60_000)
    expect(await send()).toEqual([])
    await Promise.all([sendDigests(db, { env }, EIGHT), sendDigests(db, { env }, EIGHT)])
    const [mail, ...more] = await send()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: people.sales.email, subject: '2 notifications since your last digest' })
    expect(mail?.text).toContain('Photos of one')
    expect(mail?.text).not.toContain('Read already')
    expect(mail?.html).toContain('Behind &lt;b&gt;')
    await sendDigests(db, { env }, EIGHT + DAY_MS)
    expect(await send()).toEqual([])
  })

  test('leaves what came after its hour to the next day', async () => {
    await tell({ kind: 'photoWaiting' }, only)
    await at(EIGHT + 60_000)
    await sendDigests(db, { env }, EIGHT + 120_000)
    expect(await send()).toEqual([])
    await sendDigests(db, { env }, EIGHT + DAY_MS)
    expect(await send()).toHaveLength(1)
  })

  test('that may not be sent as it is leaves the rest to the next one', async () => {
    const sales = await world.addUser('sales')
    await tell({ kind: 'photoWaiting', subject: 'Photos' }, { only: [sales.uid] })
    await tell({ kind: 'campaignBehind', subject: 'Behind' }, { only: [sales.uid] })
    await at(EIGHT - 60_000)
    await sendDigests(db, { env }, EIGHT)
    await setModules(sales.uid, ['pop'])
    expect(await send()).toEqual([])
    await sendDigests(db, { env }, EIGHT + DAY_MS)
    expect((await send()).map(({ subject }) => subject)).toEqual(['Photos'])
  })
})

describe('the link to unsubscribe', () => {
  const linkOf = (kind: NotificationKind) =>
    `/unsubscribe?token=${unsubscribeToken({ userUid: people.admin.uid, kind, channel: 'mail' })}`
  const wants = async (kind: NotificationKind) =>
    (await settingsOf(people.admin.token)).choices.find((each) => each.kind === kind)
  const post = (url: string, payload: string) =>
    app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

  test('is in the mail and its header, and opening it changes nothing', async () => {
    await tell({ kind: 'truckDark' }, { only: [people.admin.uid] })
    const [mail] = await send()
    expect(mail?.headers).toMatchObject({
      'List-Unsubscribe': `<http://localhost:3000${linkOf('truckDark')}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(mail?.text).toContain(linkOf('truckDark'))
    const page = await app.inject(linkOf('truckDark'))
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('You get “Truck dark” by email.')])
    expect(await wants('truckDark')).toMatchObject({ mail: true })
  })

  test('with one click ends that kind by that channel only, and can be undone', async () => {
    const done = await post(linkOf('truckDark'), 'List-Unsubscribe=One-Click')
    expect([done.statusCode, done.body]).toEqual([
      200,
      expect.stringContaining('You no longer get “Truck dark” by email.'),
    ])
    expect(await wants('truckDark')).toMatchObject({ mail: false, push: true })
    expect(await wants('noShow')).toMatchObject({ mail: true })
    await post(linkOf('truckDark'), 'List-Unsubscribe=One-Click')
    expect(await wants('truckDark')).toMatchObject({ mail: false })
    expect((await post(linkOf('truckDark'), 'on=1')).body).toContain('You get “Truck dark” by email.')
    expect(await wants('truckDark')).toMatchObject({ mail: true })
  })

  test('that was changed, or whose account is gone, answers that it is none', async () => {
    const changed = linkOf('truckDark').replace('truckDark', 'noShow')
    for (const url of [changed, '/unsubscribe', '/unsubscribe?token=x.y.z.w']) {
      expect([(await app.inject(url)).statusCode, (await post(url, 'on=0')).statusCode]).toEqual([404, 404])
    }
    expect(await wants('noShow')).toMatchObject({ mail: true })
  })
})
