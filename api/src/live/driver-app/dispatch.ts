import type { ShiftDriver, ShiftMessage } from '@roadshow/contract'
import { sql } from 'kysely'
import { IS_OF_PRESENT_PLAN, newestAnswer, openTruckRequest, shiftRecords } from '../../planning/shifts/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { isSentLater, utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** A page shows the newest messages of a shift. */
const MAX_MESSAGES = 200

async function loadMessages(db: Db, shiftUid: string): Promise<ShiftMessage[]> {
  const newest = await db
    .selectFrom('shift_message as g')
    .innerJoin('user_account as w', 'w.uid', 'g.changed_by')
    .select(['g.uid', 'g.text', 'g.at', 'w.name as by', sql<boolean>`g.act_id is not null`.as('isOfDriver')])
    .select(isSentLater('g.at', 'g.received_at').$castTo<boolean>().as('isSentLater'))
    .where('g.shift_uid', '=', shiftUid)
    .orderBy('g.at', 'desc')
    .orderBy('g.uid', 'desc')
    .limit(MAX_MESSAGES)
    .execute()
  return newest.toReversed()
}

const ANSWER = newestAnswer(sql`json_build_object('answer', n.answer, 'reason', n.reason, 'at', ${utcText('n.at')},
  'isSentLater', ${isSentLater('n.at', 'n.received_at')}, 'isOutdated', not (${IS_OF_PRESENT_PLAN}))`)

const TRUCK_REQUEST = openTruckRequest(sql`
  json_build_object('uid', q.uid, 'number', q.truck_number, 'text', q.text, 'at', ${utcText('q.at')}, 'truck', (
    select json_build_object('uid', x.uid, 'name', x.number) from truck x
     where lower(x.number collate "default") = lower(q.truck_number) and x.deleted_at is null limit 1))`)

/** What dispatch sees of a shift's driver. */
export async function loadShiftDriver(db: Db, scope: Scope, shiftUid: string): Promise<ShiftDriver> {
  await shiftRecords.get(db, scope, shiftUid)
  const { rows } = await sql<Omit<ShiftDriver, 'messages'>>`
    select ${ANSWER} as answer, ${TRUCK_REQUEST} as "truckRequest",
      (select f.seen_at from driver_phone f where f.user_uid = t.driver_uid) as "phoneSeenAt",
      (select count(*)::int from driver_act a where a.shift_uid = t.uid and ${isSentLater('a.at', 'a.received_at')}) as "sentLater"
      from shift t where t.uid = ${shiftUid}`.execute(db)
  const [found] = rows
  if (!found) throw new AppError('notFound')
  return { ...found, messages: await loadMessages(db, shiftUid) }
}

/** Writes to the driver of a shift. */
export const writeToDriver = (db: Db, scope: Scope, shiftUid: string, text: string): Promise<ShiftMessage> =>
  inTransaction(db, async (db) => {
    const { driver } = await shiftRecords.get(db, scope, shiftUid)
    if (!driver) throw new AppError('notFound')
    const { uid, name, address } = scope.actor
    const stored = await db
      .insertInto('shift_message')
      .values({
        shift_uid: shiftUid,
        driver_uid: driver.uid,
        text,
        at: sql`now()`,
        changed_by: uid,
        changed_from: address,
      })
      .returning(['uid', 'at'])
      .executeTakeFirstOrThrow()
    const data = { driverUid: driver.uid, text, from: name }
    await recordEvents(db, [{ type: 'shift.dispatchMessage', object: `shift ${shiftUid}`, data }])
    return { uid: stored.uid, text, at: stored.at, by: name, isOfDriver: false, isSentLater: false }
  })

/** Dismisses a request for another truck; one that is dismissed already stays so. */
export const dismissTruckRequest = (db: Db, scope: Scope, shiftUid: string, requestUid: string): Promise<ShiftDriver> =>
  inTransaction(db, async (db) => {
    await shiftRecords.get(db, scope, shiftUid)
    const { uid, address } = scope.actor
    await db
      .updateTable('truck_request')
      .set({ dismissed_at: sql`now()`, changed_by: uid, changed_from: address })
      .where('uid', '=', requestUid)
      .where('shift_uid', '=', shiftUid)
      .where('dismissed_at', 'is', null)
      .execute()
    return loadShiftDriver(db, scope, shiftUid)
  })
