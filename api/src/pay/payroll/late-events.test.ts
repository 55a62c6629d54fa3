import { addDays, payroll, type Shift, shifts, workweekOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { storeDriverEvent } from '../../planning/shifts/driver-events.ts'
import type { Db } from '../../platform/db/connection.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { payOffice } from './test-pay.ts'

const world = await openWorld()
const { call, db } = world
const { addDriver, planned, list, statement, approve, move } = await payOffice(world)
const HOUR = 3_600_000

afterEach(() => void vi.useRealTimers())

// A phone that kept an event for years is not believed, so these are weeks of this month and the one before.
let weeks = 2
const nextMonday = () => workweekOf(addDays(new Date().toISOString().slice(0, 10), -7 * ++weeks))

const eve = await addDriver('Eve Late', ['2020-01-01', 10_000, 18_000, 26_000])

const kit = await addDriver('Kit Former', ['2020-01-01', 10_000, 18_000, 26_000])

const sendEvent = (db: Db, { uid }: Shift, kind: 'start' | 'stop', at: string, by = eve) =>
  storeDriverEvent(db, {
    sender: { userUid: by.uid },
    eventId: `${kind} ${at}`,
    shiftUid: uid,
    kind,
    at,
    address: '127.0.0.1',
    isOfFormerHours: false,
  })
const currentOf = async ({ uid }: Shift): Promise<Shift> => (await call(shifts.get, { params: { uid } })).body.data
const moveShift = async (shift: Shift, status: Shift['status']) => {
  const { uid, version } = await currentOf(shift)
  return (await call(shifts.move, { body: { uid, version, status, reason: 'Because' } })).body.data
}

/** A week with a shift that its driver began, approved. */
async function approvedWeek() {
  const from = nextMonday()
  const to = addDays(from, 6)
  const shift = await planned({ driverUid: eve.uid, date: from })
  const other = await planned({ driverUid: eve.uid, date: addDays(from, 1) })
  for (const each of [shift, other]) {
    await db.transaction().execute((db) => sendEvent(db, each, 'start', each.startsAt))
  }
  const period = async () => (await list(from, to)).period as { uid: string; version: number }
  const settle = async () => {
    // Pay for a shift that was never stopped is undecided.
    const open = (await statement(from, to, eve.uid)).lines.filter(({ needsDecision }) => needsDecision)
    for (const { uid } of open) {
      const body = { shiftUid: uid, version: null, option: 'eightHours' as const, note: 'As planned' }
      expect((await call(payroll.override, { body })).status).toBe(200)
    }
    expect((await approve(from, to)).status).toBe(200)
  }
  const lateEvents = async ({ uid }: Shift) => {
    const line = (await statement(from, to, eve.uid)).lines.find((each) => each.uid === uid)
    return line?.anomalies.filter(({ kind }) => kind === 'lateEvent').map(({ text }) => text)
  }
  return { shift, other, period, settle, lateEvents }
}

test('an event that began before the lock and came to it after is shown, and applied when the period is unlocked', async () => {
  const { shift, other, period, settle, lateEvents } = await approvedWeek()
  await settle()
  await db.transaction().execute(async (sending) => {
    await sql`select 1`.execute(sending)
    expect((await move(await period(), 'locked')).status).toBe(200)
    await sendEvent(sending, shift, 'stop', shift.endsAt)
  })
  expect(await currentOf(shift)).toMatchObject({ status: 'out', stoppedAt: null })
  expect(await lateEvents(shift)).toEqual([expect.stringMatching(/^Reported after the lock: stop at .+\.$/)])
  expect(await lateEvents(other)).toEqual([])

  expect((await move(await period(), 'approved', 'A stop was missing')).status).toBe(200)
  expect(await currentOf(shift)).toMatchObject({ status: 'completed', stoppedAt: shift.endsAt })
})

test('what a former driver reports after the lock says nothing about the pay of the present one', async () => {
  const { shift, period, settle, lateEvents } = await approvedWeek()
  await settle()
  expect((await move(await period(), 'locked')).status).toBe(200)
  await db.transaction().execute((db) => sendEvent(db, shift, 'stop', shift.endsAt, kit))
  expect(await lateEvents(shift)).toEqual([])
  await db.transaction().execute((db) => sendEvent(db, shift, 'stop', shift.endsAt))
  expect(await lateEvents(shift)).toHaveLength(1)
})

test('unlocking a period leaves shifts alone whose events count already or no longer', async () => {
  const { shift, other, period, settle } = await approvedWeek()
  for (const each of [shift, other]) {
    await db.transaction().execute((db) => sendEvent(db, each, 'stop', each.endsAt))
  }
  await moveShift(shift, 'out')
  await settle()
  expect((await move(await period(), 'locked')).status).toBe(200)
  const before = [await currentOf(shift), await currentOf(other)]
  expect(before.map(({ status }) => status)).toEqual(['out', 'completed'])
  expect((await move(await period(), 'approved', 'To look at it')).status).toBe(200)
  expect([await currentOf(shift), await currentOf(other)]).toEqual(before)
})

test('a period is locked by the clock of the database', async () => {
  const { shift, period, settle, lateEvents } = await approvedWeek()
  await settle()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR })
  const locked = (await move(await period(), 'locked')).body.data
  vi.useRealTimers()
  expect(Math.abs(Date.parse(locked.lockedAt ?? '') - Date.now())).toBeLessThan(HOUR / 2)
  await db.transaction().execute((db) => sendEvent(db, shift, 'stop', shift.endsAt))
  expect(await lateEvents(shift)).toHaveLength(1)
})
