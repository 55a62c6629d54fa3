import {
  addresses,
  artworkSets,
  type Endpoint,
  markets,
  programs,
  type Shift,
  shifts,
  trucks,
  users,
} from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { driverOf } from './shift-row.ts'
import { openTestPlan } from './test-plan.ts'

const world = await openWorld()
const { call, db } = world
const { plan, move } = await openTestPlan(world)

describe('what shifts that are not over need', () => {
  test.each<[string, Endpoint, (shift: Shift) => string]>([
    ['truck', trucks.remove, (shift) => shift.truck.uid],
    ['driver', users.remove, (shift) => driverOf(shift).uid],
    ['program', programs.remove, (shift) => shift.program.uid],
    ['market', markets.remove, (shift) => shift.market.uid],
    ['artwork set', artworkSets.remove, (shift) => shift.artworkSet?.uid ?? ''],
    ['address set', addresses.remove, (shift) => shift.addressSet?.uid ?? ''],
  ])('its %s cannot be deleted, until the shift is canceled', async (what, remove, uidOf) => {
    const { uid: marketUid } = await world.addMarket(`For a ${what}`)
    const dates = { startsOn: '2026-01-01', endsOn: '2099-12-31' }
    const { uid: programUid } = await world.addProgram({ ...dates, markets: what === 'market' ? [] : [{ marketUid }] })
    await db
      .insertInto('program_market')
      .values({ program_uid: programUid, market_uid: marketUid })
      .onConflict((c) => c.doNothing())
      .execute()
    const set = { program_uid: programUid, name: 'Set' }
    const { uid: artworkSetUid } = await db
      .insertInto('artwork_set')
      .values(set)
      .returning('uid')
      .executeTakeFirstOrThrow()
    const { uid: addressSetUid } = await db
      .insertInto('address_set')
      .values(set)
      .returning('uid')
      .executeTakeFirstOrThrow()
    const shift = await plan({ programUid, marketUid, artworkSetUid, addressSetUid, date: '2099-01-02' })
    if (what === 'market') await db.deleteFrom('program_market').where('market_uid', '=', marketUid).execute()
    const input = { params: { uid: uidOf(shift) } } as never
    const refused = await call(remove, input)
    expect([refused.status, refused.error.error]).toEqual([
      409,
      `Shifts that are not over still need this ${what}: ${shift.truck.name} on Fri, Jan 2, 2099. Move or cancel them first.`,
    ])
    expect(refused.error.inTheWay).toEqual([
      {
        kind: 'shifts',
        name: '1 shift on Jan 2, 2099',
        screen: `/schedule/program-schedule?view=list&uid=${shift.uid}`,
        act: { kind: 'moveOrCancel', shifts: [{ uid: shift.uid, version: shift.version, isPlanned: true }] },
      },
    ])
    await move(shift, 'cancelled', 'Called off')
    expect((await call(remove, input)).status).toBe(200)
    expect((await call(shifts.get, { params: { uid: shift.uid } })).body.data).toMatchObject({
      truck: shift.truck,
      driver: shift.driver,
    })
  })

  test('a program keeps the dates and markets of its planned shifts', async () => {
    const { uid: marketUid } = await world.addMarket('Far away')
    const saved = await world.addProgram({ startsOn: '2026-01-01', endsOn: '2099-12-31', markets: [{ marketUid }] })
    const shift = await plan({ programUid: saved.uid, marketUid, date: '2099-01-02' })
    const { uid, version, name, status, startsOn, popUrl } = saved
    const body = { uid, version, clientUid: saved.client.uid, name, status, startsOn, popUrl }
    const shorter = await call(programs.update, { body: { ...body, endsOn: '2098-12-31', markets: [{ marketUid }] } })
    expect(shorter.error.error).toContain(`${shift.truck.name} in Far away on Fri, Jan 2, 2099`)
    expect((await call(programs.update, { body: { ...body, endsOn: '2099-12-31', markets: [] } })).status).toBe(409)
    expect(
      (await call(programs.update, { body: { ...body, endsOn: '2099-06-30', markets: [{ marketUid }] } })).status,
    ).toBe(200)
  })
})
