import {
  API_BASE,
  auth,
  calendar,
  addDays,
  localDay,
  type Shift,
  type ShiftInput,
  shifts,
  type UserInput,
  users,
} from '@roadshow/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../platform/http/session.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { renderCalendar } from './ics.ts'
import { hideCalendarToken } from './routes.ts'

const { app, call, db, people, addUser, addMarket, addProgram, resetToken } = await openWorld()

const today = localDay('UTC')
let market = ''
let program = ''
beforeAll(async () => {
  market = (await addMarket('Dallas')).uid
  const days = { startsOn: addDays(today, -365), endsOn: addDays(today, 365) }
  program = (await addProgram({ name: 'Summer', ...days, markets: [{ marketUid: market }] })).uid
})

let numbers = 0
async function plan(driverUid: string, given: Partial<ShiftInput> = {}): Promise<Shift> {
  const truck = { number: `T-${++numbers}`, kind: 'led', state: 'active' }
  const { uid } = await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()
  const of = { truckUid: uid, driverUid, programUid: program, marketUid: market }
  const { body } = await call(shifts.create, { body: { ...of, date: today, start: '08:00', end: '16:00', ...given } })
  return body.data
}

const makeLink = async (token: string) => (await call(calendar.createLink, {}, { token })).body.data
const read = (url: string) => app.inject({ url: new URL(url).pathname })
/** Lines as they were before folding. */
const linesOf = (ics: string) => ics.replaceAll('\r\n ', '').split('\r\n')
const uidsIn = (ics: string) => linesOf(ics).flatMap((line) => /^UID:(\S+)@localhost$/.exec(line)?.[1] ?? [])

describe('a link', () => {
  test('is for anyone who may see shifts', async () => {
    const withoutSchedule = await addUser('driver', ['pop'])
    for (const { token } of [people.client, withoutSchedule]) {
      for (const endpoint of [calendar.link, calendar.createLink, calendar.removeLink])
        expect((await call(endpoint, {}, { token })).status).toBe(403)
    }
  })

  test('is shown once, and kept as a hash only', async () => {
    const { uid, token } = await addUser('driver')
    expect((await call(calendar.link, {}, { token })).body).toEqual({ data: { since: null } })
    const { url, since } = await makeLink(token)
    const secret = url.slice(url.lastIndexOf('/') + 1)
    expect(url).toBe(`http://localhost:3000${API_BASE}/program-user-schedule/calendar/${secret}`)
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    expect((await call(calendar.link, {}, { token })).body).toEqual({ data: { since } })
    const row = await db.selectFrom('calendar_link').selectAll().where('user_uid', '=', uid).executeTakeFirstOrThrow()
    expect(row.token_hash.equals(hashToken(secret))).toBe(true)
    expect(hideCalendarToken(new URL(url).pathname)).toBe(`${API_BASE}/program-user-schedule/calendar/…`)
    expect(hideCalendarToken(`${API_BASE}/trucks/run?page=2`)).toBe(`${API_BASE}/trucks/run?page=2`)
  })

  test('stops working when it is replaced or removed', async () => {
    const { token } = await addUser('driver')
    const old = await makeLink(token)
    const next = await makeLink(token)
    expect((await read(old.url)).statusCode).toBe(404)
    expect((await read(next.url)).statusCode).toBe(200)
    expect((await call(calendar.removeLink, {}, { token })).body).toEqual({ data: { since: null } })
    expect((await read(next.url)).statusCode).toBe(404)
    expect((await call(calendar.removeLink, {}, { token })).status).toBe(200)
  })

  test('stops working for a deleted user, and for one who may no longer see shifts', async () => {
    const [deleted, narrowed] = [await addUser('driver'), await addUser('driver')]
    const urls = [(await makeLink(deleted.token)).url, (await makeLink(narrowed.token)).url]
    await call(users.remove, { params: { uid: deleted.uid } })
    await db
      .updateTable('user_account')
      .set({ modules: ['pop'] })
      .where('uid', '=', narrowed.uid)
      .execute()
    for (const url of urls) expect((await read(url)).json()).toMatchObject({ code: 'notFound' })
  })

  /** What a user of the console can do to an account that has a calendar link. */
  const endings: [what: string, end: (uid: string) => Promise<unknown>][] = [
    ['a forced sign-out', (uid) => call(users.forceLogout, { params: { uid } })],
    [
      'a new password',
      async (uid) => {
        const body = { token: await resetToken(uid), password: 'four wheels and a drum' }
        expect((await call(auth.passwordReset, { body }, { token: '' })).status).toBe(200)
      },
    ],
    [
      'deleting the user, also when restored',
      async (uid) => {
        await call(users.remove, { params: { uid } })
        await call(users.restore, { params: { uid } })
      },
    ],
    [
      'taking the modules of the schedule, also when given back',
      async (uid) => {
        const { modules } = (await call(users.get, { params: { uid } })).body.data
        await changeUser(uid, { modules: ['pop'] })
        await changeUser(uid, { modules })
      },
    ],
    [
      'another role, also when given back',
      async (uid) => {
        await changeUser(uid, { role: 'sales' })
        await changeUser(uid, { role: 'driver' })
      },
    ],
  ]
  async function changeUser(uid: string, change: Partial<UserInput>) {
    const { userUid, version, name, email, role, modules } = (await call(users.get, { params: { uid } })).body.data
    const body = { userUid, version, name, email, role, modules, ...change }
    expect((await call(users.update, { body })).status).toBe(200)
  }

  test.each(endings)('is ended by %s, and answers 404 with nothing', async (_, end) => {
    const [{ uid, token }, other] = [await addUser('driver'), await addUser('driver')]
    const [{ url }, bystander] = [await makeLink(token), await makeLink(other.token)]
    expect((await read(url)).statusCode).toBe(200)
    await end(uid)
    const answer = await read(url)
    expect([answer.statusCode, answer.body]).toEqual([404, expect.not.stringContaining('VCALENDAR')])
    expect((await read(bystander.url)).statusCode).toBe(200)
  })

  test('that no one made answers 404, whatever it looks like', async () => {
    for (const token of ['x', '%00', '..%2f..', encodeURIComponent('🚚'), 'a'.repeat(200)]) {
      const answer = await app.inject({ url: `${API_BASE}/program-user-schedule/calendar/${token}` })
      expect([answer.statusCode, answer.headers['cache-control']], token).toEqual([404, 'no-store'])
    }
  })
})

describe('the calendar', () => {
  test('holds one’s own shifts from 30 days ago to 180 days ahead', async () => {
    const driver = await addUser('driver')
    const { url } = await makeLink(driver.token)
    const own = []
    for (const days of [-30, 0, 180]) own.push(await plan(driver.uid, { date: addDays(today, days) }))
    for (const days of [-31, 181]) await plan(driver.uid, { date: addDays(today, days) })
    await plan((await addUser('driver')).uid)
    const removed = await plan(driver.uid, { date: addDays(today, 3) })
    await call(shifts.remove, { params: { uid: removed.uid } })
    const answer = await read(url)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': expect.stringContaining('shifts.ics'),
      'cache-control': 'no-store',
    })
    expect(uidsIn(answer.body)).toEqual(own.map(({ uid }) => uid))
    // An admin sees every shift on the screen, and drives none of them.
    expect(uidsIn((await read((await makeLink(people.admin.token)).url)).body)).toEqual([])
  })

  test('tells times in UTC, what changed, and what was canceled', async () => {
    const driver = await addUser('driver')
    const { url } = await makeLink(driver.token)
    const date = addDays(today, 10)
    const night = await plan(driver.uid, {
      date,
      start: '20:00',
      end: '04:00',
      note: 'Keys; at the gate,\nleft\\right',
    })
    const off = await plan(driver.uid, { date: addDays(date, 2) })
    const body = { uid: off.uid, version: off.version, status: 'cancelled' as const, reason: 'Snow' }
    await call(shifts.move, { body })
    const [first = [], second = []] = linesOf((await read(url)).body)
      .join('\n')
      .split('BEGIN:VEVENT\n')
      .slice(1)
      .map((event) => event.split('\n'))
    const compact = (instant: string) => instant.replace(/[-:]|\.\d+/g, '')
    expect(first).toContain(`DTSTART:${compact(night.startsAt)}`)
    expect(first).toContain(`DTEND:${compact(night.endsAt)}`)
    const clock = (instant: string) =>
      new Date(instant).toLocaleTimeString('en-GB', { timeZone: night.zone, hour: '2-digit', minute: '2-digit' })
    expect([clock(night.startsAt), clock(night.endsAt)]).toEqual(['20:00', '04:00'])
    expect(first).toContain(`SUMMARY:${night.truck.name}\\, Summer`)
    expect(first).toContain('STATUS:CONFIRMED')
    expect(first).toContain('SEQUENCE:1')
    expect(first).toContain('LOCATION:Dallas')
    expect(first.find((line) => line.startsWith('DESCRIPTION:'))).toMatch(/Keys\\; at the gate\\,\\nleft\\\\right$/)
    expect(second).toContain('STATUS:CANCELLED')
    expect(second).toContain('SEQUENCE:2')
    expect(second).toContain(`LAST-MODIFIED:${compact((await current(off)).updatedAt)}`)
    expect(second.find((line) => line.startsWith('DESCRIPTION:'))).toContain('Reason: Snow')
  })

  test('speaks the language of its driver', async () => {
    const driver = await addUser('driver')
    await db.updateTable('user_account').set({ language: 'es' }).where('uid', '=', driver.uid).execute()
    await plan(driver.uid)
    const lines = linesOf((await read((await makeLink(driver.token)).url)).body)
    expect(lines).toContain('PRODID:-//Roadshow//Shifts//ES')
    expect(lines.find((line) => line.startsWith('DESCRIPTION:'))).toMatch(
      /8:00 a\. m\.–4:00 p\. m\. .*Cliente: .*Estado: Planeado/,
    )
  })

  const current = async ({ uid }: Shift) => (await call(shifts.get, { params: { uid } })).body.data

  test('has lines of at most 75 octets, ended as RFC 5545 wants them, and cuts no character', async () => {
    const note = `${'Ä🚚é,;\\'.repeat(60)}\r\nBEGIN:VEVENT`
    const shift = { ...(await plan((await addUser('driver')).uid)), note }
    const ics = renderCalendar([shift], {
      brandName: 'Road, show',
      publicUrl: 'https://console.example.com:8443',
      name: 'Zoë',
      language: 'en',
      hasDriverApp: true,
    })
    expect(ics.endsWith('\r\n')).toBe(true)
    const lines = ics.slice(0, -2).split('\r\n')
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      // Half a character would not come back from UTF-8 as it was.
      expect(Buffer.from(line).toString()).toBe(line)
      expect(line).not.toMatch(/[\r\n]/)
    }
    expect(linesOf(ics).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1)
    expect(linesOf(ics)).toContain(`URL:https://console.example.com:8443/driver/shifts/${shift.uid}`)
    const description = linesOf(ics).find((line) => line.startsWith('DESCRIPTION:')) ?? ''
    const unescaped = description.replace(/\\([\\;,n])/g, (_, sign: string) => (sign === 'n' ? '\n' : sign))
    expect(unescaped.endsWith(note.replace('\r\n', '\n'))).toBe(true)
    expect(lines).toContain('X-WR-CALNAME:Road\\, show: Zoë')
    expect(lines).toContain('REFRESH-INTERVAL;VALUE=DURATION:PT1H')
    expect(lines).toContain(`UID:${shift.uid}@console.example.com`)
  })
})
