import { randomUUID } from 'node:crypto'
import {
  type ActResult,
  type DriverAct,
  type DriverAppShift,
  driverApp,
  localDay,
  type Shift,
  type ShiftInput,
  shifts,
} from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { openTestPlan, toShiftInput } from '../../planning/shifts/test-plan.ts'

const ZONE = 'America/Chicago'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const clockAt = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, hour: '2-digit', minute: '2-digit' }).format(at)

type Kind = DriverAct['kind']
type Given<K extends Kind> = Omit<Extract<DriverAct, { kind: K }>, 'kind' | 'actId' | 'at' | 'shiftUid'>

/** Drivers with phones and shifts around now. */
export async function openPhones(world: World) {
  const { call, db, addUser } = world
  const { addTruck, plan } = await openTestPlan(world)
  const market = (await world.addMarket('Houston')).uid
  const span = { startsOn: '2024-01-01', endsOn: '2099-12-31' }
  const { uid: program } = await world.addProgram({ name: 'Long', ...span, markets: [{ marketUid: market }] })

  /** A shift that begins some hours from now and lasts four. */
  const planIn = (hours: number, given: Partial<ShiftInput> = {}): Promise<Shift> => {
    const at = Date.now() + hours * HOUR
    return plan({
      programUid: program,
      marketUid: market,
      date: localDay(ZONE, at),
      start: clockAt(at),
      end: clockAt(at + 4 * HOUR),
      ...given,
    })
  }

  /** A driver with a phone and a shift that began some hours ago. */
  async function addDriving(hoursAgo = 3) {
    const driver = await addUser('driver')
    return { driver, shift: await planIn(-hoursAgo, { driverUid: driver.uid }) }
  }

  const current = async (uid: string): Promise<Shift> => (await call(shifts.get, { params: { uid } })).body.data
  /** Changes a shift as dispatch does. */
  async function change(uid: string, given: Partial<ShiftInput>): Promise<Shift> {
    const saved = await current(uid)
    const body = { ...toShiftInput(saved), ...given, uid, version: saved.version }
    const { status, body: reply, error } = await call(shifts.update, { body })
    if (status !== 200) throw new Error(JSON.stringify(error))
    return reply.data
  }

  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()
  const act = <K extends Kind>(kind: K, shiftUid: string, minutesAgo: number, given?: Given<K>) =>
    ({ kind, actId: randomUUID(), at: ago(minutesAgo), shiftUid, ...given }) as unknown as Extract<
      DriverAct,
      { kind: K }
    >

  async function send(
    { token }: { token: string },
    acts: readonly unknown[],
    sentAt: string = new Date().toISOString(),
  ): Promise<ActResult[]> {
    const { status, body, error } = await call(driverApp.acts, { body: { sentAt, acts: [...acts] } }, { token })
    if (status !== 200) throw new Error(JSON.stringify(error))
    return body.data.results
  }
  /** The results in short: `accepted`, or with the problem `accepted tooEarly`. */
  const results = async (...given: Parameters<typeof send>) =>
    (await send(...given)).map(({ result, problem }) => (problem ? `${result} ${problem}` : result))

  async function dayOf({ token }: { token: string }) {
    const { status, body, error } = await call(driverApp.day, {}, { token })
    if (status !== 200) throw new Error(JSON.stringify(error))
    return body.data
  }
  const onPhone = async (driver: { token: string }, uid: string): Promise<DriverAppShift | undefined> =>
    (await dayOf(driver)).shifts.find((shift) => shift.uid === uid)

  return { db, addTruck, planIn, addDriving, current, change, ago, act, send, results, dayOf, onPhone }
}

/** An instant in milliseconds: the same instant may be written with more or fewer digits. */
export const ms = (instant: string | null | undefined) => (instant ? Date.parse(instant) : null)
