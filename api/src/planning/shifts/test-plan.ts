import { type Shift, type ShiftInput, shifts } from '@roadshow/contract'
import { expect } from 'vitest'
import type { World } from '@roadshow/test-kit/world'

/** Two programs in Dallas, one of them in June also in Austin, and the ways to plan shifts of them. */
export async function openTestPlan(world: World) {
  const { call, db, people, addUser } = world
  const market = (await world.addMarket('Dallas')).uid
  const elsewhere = (await world.addMarket('Austin')).uid
  const june = { startsOn: '2026-06-01', endsOn: '2026-06-30' }
  const markets = [{ marketUid: market }, { marketUid: elsewhere, ...june }]
  const program = (await world.addProgram({ name: 'Summer', markets })).uid
  const other = (await world.addProgram({ name: 'Winter', markets: [{ marketUid: market }] })).uid

  let numbers = 0
  async function addTruck(state = 'active'): Promise<string> {
    const truck = { number: `T-${++numbers}`, kind: 'led', state }
    return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
  }
  const addDriver = async () => (await addUser('driver')).uid

  /** A shift of a truck and a driver of its own, unless others are given. */
  const input = async (given: Partial<ShiftInput> = {}): Promise<ShiftInput> => ({
    truckUid: given.truckUid ?? (await addTruck()),
    driverUid: given.driverUid ?? (await addDriver()),
    programUid: program,
    marketUid: market,
    date: '2026-07-01',
    start: '08:00',
    end: '16:00',
    ...given,
  })
  const create = async (given: Partial<ShiftInput> = {}, token = people.admin.token) =>
    call(shifts.create, { body: await input(given) }, { token })

  /** A shift that is saved. */
  async function plan(given: Partial<ShiftInput> = {}): Promise<Shift> {
    const { status, body, error } = await create(given)
    expect([status, error]).toEqual([200, body])
    return body.data
  }
  const update = ({ uid, version, ...shift }: Shift, given: Partial<ShiftInput>, token = people.admin.token) =>
    call(shifts.update, { body: { ...toShiftInput(shift), ...given, uid, version } }, { token })
  const move = (shift: Shift, status: Shift['status'], reason = '', token = people.admin.token) =>
    call(shifts.move, { body: { uid: shift.uid, version: shift.version, status, reason } }, { token })

  return { market, elsewhere, program, other, addTruck, addDriver, input, create, plan, update, move }
}

export const toShiftInput = (shift: Omit<Shift, 'uid' | 'version'>): ShiftInput => ({
  truckUid: shift.truck.uid,
  driverUid: shift.driver?.uid ?? '',
  programUid: shift.program.uid,
  marketUid: shift.market.uid,
  date: shift.date,
  start: shift.start,
  end: shift.end,
  note: shift.note,
})
