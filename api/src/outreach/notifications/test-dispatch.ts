import { type Shift, shifts, type ShiftInput } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { expect } from 'vitest'

export const NOW = Date.now()
export const MINUTE = 60_000

/** Trucks and shifts around now, of a program that runs in the zone UTC. */
export async function openDispatch(world: World) {
  const { call, db } = world
  const market = (await world.addMarket('Dallas')).uid
  await db.updateTable('market').set({ zone: 'UTC' }).execute()
  const program = await world.addProgram({
    name: 'Summer',
    startsOn: '2020-01-01',
    endsOn: '2099-12-31',
    markets: [{ marketUid: market }],
  })

  let numbers = 0
  async function addTruck(): Promise<string> {
    const truck = { number: `T-${++numbers}`, kind: 'led', state: 'active' }
    return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
  }

  /** A shift in the zone UTC that begins and ends so many minutes from now. */
  async function addShift(from: number, to: number, given: Partial<ShiftInput> = {}): Promise<Shift> {
    const clock = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString()
    const body = {
      truckUid: await addTruck(),
      driverUid: (await world.addUser('driver')).uid,
      programUid: program.uid,
      marketUid: market,
      date: clock(from).slice(0, 10),
      start: clock(from).slice(11, 16),
      end: clock(to).slice(11, 16),
      ...given,
    }
    const { status, body: reply, error } = await call(shifts.create, { body })
    expect([status, error]).toEqual([200, reply])
    return reply.data
  }

  const startAgo = (shift: Shift, minutes: number) =>
    db
      .updateTable('shift')
      .set({ status: 'out', started_at: new Date(NOW - minutes * MINUTE) })
      .where('uid', '=', shift.uid)
      .execute()

  /** Removes the notices of the tests before, and the shifts that would make new ones. */
  async function clear(): Promise<void> {
    for (const table of [
      'notification',
      'message',
      'outbound_event',
      'shift_notice',
      'issue_alert',
      'watched_condition',
    ] as const)
      await db.deleteFrom(table).execute()
    await db.deleteFrom('truck_issue').execute()
    await db.updateTable('shift').set({ deleted_at: new Date() }).execute()
  }

  return { addTruck, addShift, startAgo, clear }
}
