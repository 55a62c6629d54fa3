import { shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { applyDriverEvents } from './driver-events.ts'
import { holderAt, momentsOf, openHoldScene } from './test-holds.ts'
import { openTestPlan } from './test-plan.ts'

const world = await openWorld()
const { call, db } = world
const { changeShifts, heldBy } = await openHoldScene(world)

test('whose truck it is follows from the shifts as they are, whatever happened before', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    for (const { truckUid, shifts } of await changeShifts(seed)) {
      const moments = momentsOf(shifts)
      const expected = moments.map((at) => holderAt(shifts, at))
      expect({ seed, held: await heldBy(truckUid, moments) }).toEqual({ seed, held: expected })
    }
  }
})

describe('a stopped shift', () => {
  test('frees its truck and its driver at once, and takes nothing back that others got', async () => {
    const { plan, create } = await openTestPlan(world)
    const first = await plan({ date: '2026-06-01' })
    const at = (hour: number) => `2026-06-01T${String(hour + 5).padStart(2, '0')}:00:00Z`
    const send = async (kind: string, hour: number) => {
      await sql`insert into driver_event (event_id, shift_uid, kind, at, user_uid)
                values (${`${kind} ${hour}`}, ${first.uid}, ${kind}, ${at(hour)}, ${first.driver?.uid})`.execute(db)
      await applyDriverEvents(db, first.uid, { userUid: null, address: '127.0.0.1' })
    }
    const second = {
      truckUid: first.truck.uid,
      driverUid: first.driver?.uid ?? '',
      date: '2026-06-01',
      start: '13:00',
      end: '15:00',
    }
    await send('start', 8)
    expect((await create(second)).status).toBe(409)
    await send('stop', 12)
    const { status, body } = await create(second)
    expect(status).toBe(200)
    // The driver had stopped too early, and goes on: the plan of the second shift stays.
    await send('stop', 14)
    const { rows } = await sql<{ uid: string; from: string; to: string }>`
      select shift_uid as uid, lower(during) as "from", upper(during) as "to" from truck_hold
       where truck_uid = ${first.truck.uid} order by during`.execute(db)
    expect(rows.map(({ uid, from, to }) => [uid, Date.parse(from), Date.parse(to)])).toEqual([
      [first.uid, Date.parse(at(8)), Date.parse(at(14))],
      [body.data.uid, Date.parse(at(14)), Date.parse(at(15))],
    ])
    // What is no plan of it can still be changed.
    const { data } = (await call(shifts.get, { params: { uid: first.uid } })).body
    expect(data.stoppedAt && Date.parse(data.stoppedAt)).toBe(Date.parse(at(14)))
  })
})
