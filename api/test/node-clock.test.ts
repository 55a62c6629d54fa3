import {
  addDays,
  DAY_MS,
  fleet,
  issueWork,
  localDay,
  payroll,
  type PlayerData,
  pops,
  workweekOf,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { countAgainst } from '../src/accounts/sign-in/throttle.ts'
import { fleetOf } from '../src/live/players/test-fleet.ts'
import { enqueueTest } from '../src/outreach/webhooks/messages.ts'
import { enqueueMail } from '../src/platform/mail/channel.ts'
import { fillToday, fillWeek } from '../src/platform/http/fill-in.ts'
import { openPops } from '../src/proof/pop/test-pop.ts'

const world = await openWorld()
const { call, db } = world
const { addRunning, addTruck, come, openNode } = fleetOf(world)
const { addMarket, addPop, addPhoto, publish } = await openPops(world)
const node = await openNode()

const MINUTE = 60_000
const truth = Date.now()
/** Whether a time is the present one by the clock of the database. */
const isPresent = (at: string) => Math.abs(Date.parse(at) - truth) < 30 * MINUTE

/** Behind or ahead: a machine that has just started, or whose battery is empty. */
describe.each([-10, 10])('a node whose clock is off by %i days', (days) => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  const jump = () => vi.setSystemTime(truth + days * DAY_MS)
  afterEach(() => void vi.useRealTimers())

  test('approves no days before they are over, and those that are', async () => {
    const today = localDay('Pacific/Honolulu', truth)
    jump()
    const approve = (from: string) => call(payroll.approve, { body: { from, to: addDays(from, 6), cents: 0 } })
    expect((await approve(workweekOf(today))).error.error).toBe('The pay period is not over yet.')
    const approved = await approve(addDays(workweekOf(today), days > 0 ? -7 : -14))
    expect(approved.status).toBe(200)
    expect(isPresent(approved.body.data.approvedAt ?? '')).toBe(true)
  })

  test('fills in the present day and week', async () => {
    const today = localDay('America/Chicago', truth)
    jump()
    const nothing = { query: {}, params: {} }
    expect(await fillToday(nothing, db)).toEqual({ date: today })
    const { from = '', to = '' } = await fillWeek(nothing, db)
    expect(from <= today && today <= to).toBe(true)
  })

  test('tells a player the true time', async () => {
    const { device } = await addRunning()
    jump()
    const player = await come(node, device)
    const { serverTime } = (await player.emitWithAck('get-player-data')) as PlayerData
    expect(isPresent(serverTime)).toBe(true)
  })

  test('gives messages as long as any other node does', async () => {
    jump()
    const webhook = { uid: '01900000-0000-7000-8000-000000000001', url: 'https://example.com/hook' }
    const mail = { kind: 'test', to: 'dana@example.com', subject: 'Hello', text: 'Hello', html: '' }
    const uids = [await enqueueTest(db, webhook), await enqueueMail(db, mail, {})]
    const { rows } = await sql<{ minutes: number }>`
      select round(extract(epoch from expires_at - now()) / 60)::int as minutes from message
       where uid = any(${uids}::uuid[]) order by 1`.execute(db)
    expect(rows.map(({ minutes }) => minutes)).toEqual([1, 2 * 24 * 60])
  })

  test('says how long an attempt has to wait', async () => {
    const limit = { key: `node-clock ${days}`, free: 0 }
    await countAgainst(db, [limit])
    await countAgainst(db, [limit])
    await sql`update throttle set blocked_until = now() + interval '1 minute' where key = ${limit.key}`.execute(db)
    jump()
    await expect(countAgainst(db, [limit])).rejects.toThrow(/try again in (60|5\d) seconds/)
  })

  test('publishes and resolves at the true time', async () => {
    const market = await addMarket(`Market ${days}`)
    const pop = await addPop([market])
    await addPhoto(pop.uid, market)
    const issue = (
      await call(issueWork.raise, { body: { truckUid: await addTruck(), kind: 'mechanical', text: 'Dark' } })
    ).body.data
    jump()
    const { publishedAt } = (await publish(pop.uid)).body.data
    expect(isPresent(publishedAt)).toBe(true)
    expect((await call(pops.get, { params: { uid: pop.uid } })).body.data.publishedAt).toBe(publishedAt)
    const body = { uid: issue.uid, version: issue.version, status: 'resolved' as const, note: '' }
    const resolved = (await call(fleet.resolve, { body })).body.data
    expect(isPresent(resolved.resolvedAt ?? '')).toBe(true)
  })
})
