import { payroll, type Shift, type ShiftInput } from '@roadshow/contract'
import { openTestPlan } from '../../planning/shifts/test-plan.ts'
import type { World } from '@roadshow/test-kit/world'

const MINUTE = 60_000

/** Drivers with rates, and shifts that were driven. */
export async function payOffice(world: World) {
  const { call, db } = world
  const plan = await openTestPlan(world)
  const markets = [{ marketUid: plan.market }]
  const program = (await world.addProgram({ name: 'Long', startsOn: '2024-01-01', endsOn: '2099-12-31', markets })).uid

  async function addDriver(name: string, ...rates: [from: string, half: number, eight: number, twelve: number][]) {
    const driver = await world.addUser('driver')
    await db.updateTable('user_account').set({ name }).where('uid', '=', driver.uid).execute()
    for (const [valid_from, half_day_cents, eight_hours_cents, twelve_hours_cents] of rates) {
      const cents = { half_day_cents, eight_hours_cents, twelve_hours_cents }
      await db
        .insertInto('pay_rate')
        .values({ user_uid: driver.uid, valid_from, ...cents })
        .execute()
    }
    return { ...driver, name }
  }

  const planned = (given: Partial<ShiftInput>): Promise<Shift> => plan.plan({ programUid: program, ...given })

  /** A shift that was driven for so many minutes from its planned start on. */
  async function drive(given: Partial<ShiftInput>, minutes: number): Promise<Shift> {
    const shift = await planned(given)
    const [start, stop] = [shift.startsAt, new Date(Date.parse(shift.startsAt) + minutes * MINUTE)]
    await db
      .updateTable('shift')
      .set({ status: 'completed', started_at: start, stopped_at: stop })
      .where('uid', '=', shift.uid)
      .execute()
    return { ...shift, status: 'completed', version: shift.version + 1 }
  }

  const list = async (from: string, to: string, more: object = {}, token?: string) =>
    (await call(payroll.list, { query: { from, to, ...more } }, token ? { token } : {})).body
  const statement = async (from: string, to: string, driver: string) =>
    (await call(payroll.statement, { query: { from, to, driver } })).body.data
  /** Approves what everybody earned as it is now. */
  const approve = async (from: string, to: string) =>
    call(payroll.approve, { body: { from, to, cents: (await list(from, to)).totals.cents } })
  const move = (period: { uid: string; version: number }, state: 'open' | 'approved' | 'locked', reason = '') =>
    call(payroll.move, { body: { uid: period.uid, version: period.version, state, reason } })
  const adjust = (driverUid: string, date: string, cents: number, note: string, shiftUid: string | null = null) =>
    call(payroll.adjust, { body: { driverUid, date, cents, note, shiftUid } })

  return { ...plan, program, addDriver, planned, drive, list, statement, approve, move, adjust }
}
