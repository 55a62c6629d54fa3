import { blocksTruck, DRIVER_PATH } from '@roadshow/contract'
import { sql } from 'kysely'
import { loadShiftStates, type ShiftState } from '../../planning/shifts/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { EventHandler } from '../../platform/outbox/index.ts'
import { type FanOutContext, notify } from './fan-out.ts'
import { type DriverShiftChange, kindForDriver, wordsForDriver } from './shift-notice-rules.ts'
import { inEachLanguage, type ShiftNoticeKind } from './words.ts'

/** Changes within this time become one message to the driver. */
const GATHER_SECONDS = 60

/** A shift as its driver knows it: only while it takes place. */
const asKnown = (state: ShiftState | null | undefined, driverUid: string): ShiftState | null =>
  state && state.driver.uid === driverUid && blocksTruck(state.status) ? state : null

/** Who drives a shift that takes place without this driver. */
const otherDriver = (state: ShiftState | undefined, driverUid: string): string | undefined =>
  state && state.driver.uid !== driverUid && blocksTruck(state.status) ? state.driver.name : undefined

/** Notes a change for the driver before and for the driver after it. The first of several keeps what the driver knew. */
export const shiftHandler: EventHandler = {
  types: ['shift.changed'],
  async handle(db, { data }) {
    const { shiftUid, before, after } = data as unknown as DriverShiftChange
    const drivers = new Set([before?.driver.uid, after?.driver.uid].filter((uid) => uid !== undefined))
    const rows = [...drivers].map((driverUid) => {
      const known = asKnown(before, driverUid)
      return { shift_uid: shiftUid, driver_uid: driverUid, before: known && JSON.stringify(known) }
    })
    if (rows.length === 0) return
    await db
      .insertInto('shift_notice')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
}

/** Tells one driver of everything that was gathered. */
async function tellDriver(db: Db, context: FanOutContext, driverUid: string, now: number): Promise<void> {
  const gathered = await db
    .deleteFrom('shift_notice')
    .where('driver_uid', '=', driverUid)
    .returning(['shift_uid', 'before', 'since'])
    .execute()
  const states = await loadShiftStates(
    db,
    gathered.map(({ shift_uid }) => shift_uid),
  )
  const changes = gathered.map(({ shift_uid, before }): DriverShiftChange => ({
    shiftUid: shift_uid,
    before: before as unknown as ShiftState | null,
    after: asKnown(states.get(shift_uid), driverUid),
    drivesNow: otherDriver(states.get(shift_uid), driverUid),
  }))
  const byKind = new Map<ShiftNoticeKind, DriverShiftChange[]>()
  for (const change of changes) {
    const kind = kindForDriver(change, now)
    if (kind) byKind.set(kind, [...(byKind.get(kind) ?? []), change])
  }
  for (const [kind, some] of byKind) {
    const only = some.length === 1 ? some[0]?.shiftUid : undefined
    const notice = {
      kind,
      ...inEachLanguage((words) => wordsForDriver(kind, some, words)),
      key: `${kind} ${new Date(now).toISOString()} ${some[0]?.shiftUid ?? ''}`,
      path: only ? `${DRIVER_PATH}/shifts/${only}` : DRIVER_PATH,
      object: only ? `shift ${only}` : `shifts of ${driverUid}`,
      shiftUid: only,
    }
    await notify(db, context, notice, { only: [driverUid] })
  }
}

/** Tells drivers of changes of their shifts, a short while after the first of a series. */
export async function tellDrivers(db: Db, context: FanOutContext, now: number): Promise<void> {
  const rows = await db
    .selectFrom('shift_notice')
    .select('driver_uid as driverUid')
    .groupBy('driver_uid')
    .having((eb) => eb.fn.min('since'), '<=', sql<string>`now() - make_interval(secs => ${GATHER_SECONDS})`)
    .orderBy('driver_uid')
    .execute()
  for (const { driverUid } of rows) await inTransaction(db, (db) => tellDriver(db, context, driverUid, now))
}

export const tellDriversJob = defineJob('tell-drivers', ({ db, env, now }) => tellDrivers(db, { env }, now))
