import { type BatchAck, driverIssue, driverShift, type RowAck } from '@roadshow/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { claimFile } from '../../platform/files/index.ts'
import { describeEventProblem, findShiftAt, lockTrucksShift, storeDriverEvent } from '../../planning/shifts/index.ts'
import { raiseDriverIssue } from '../fleet/index.ts'
import { DeviceBatch, timeProblemOfEvent, TOO_MANY_REPORTS } from '../device-batches/index.ts'

/** The driver's device that reports something. */
interface Reporter {
  uid: string
  truckUid: string
  address: string
  /** How many of its rows are taken now; all of them if not given. */
  take?: (rows: number) => Promise<number>
}

type ShiftEvent = z.output<typeof driverShift>
type Issue = z.output<typeof driverIssue>

/** Thrown to roll back a row that is refused. */
class Refused extends Error {}

type Result = [result: RowAck['result'], reason?: string]
const LATER: Result = ['later', TOO_MANY_REPORTS]

/** Processes each row in a transaction of its own, so that a refused row does not hold up the others. */
async function processRows<Row extends { at: string }>(
  db: Db,
  { take = async (rows) => rows }: Reporter,
  batch: DeviceBatch<Row>,
  work: (db: Db, row: Row) => Promise<Result>,
): Promise<BatchAck> {
  const now = await sharedNow(db)
  const rows = batch.setAside(({ at }) => timeProblemOfEvent(at, now))
  const taken = await take(rows.length)
  for (const [index, sent] of rows.entries()) {
    const isTaken = index < taken
    const result = isTaken ? await inTransaction(db, (db) => work(db, sent.row)).catch(refusal) : LATER
    batch.answer(sent, ...result)
  }
  return batch.acks
}

function refusal(error: unknown): Result {
  if (error instanceof Refused) return ['rejected', error.message]
  throw error
}

/** Stores starts and stops of shifts, which may arrive in any order and repeatedly. */
export const storeDriverEvents = (db: Db, reporter: Reporter, sent: unknown): Promise<BatchAck> =>
  processRows(db, reporter, new DeviceBatch<ShiftEvent>(sent, driverShift, 'eventId'), async (db, event) => {
    const { uid: deviceUid, truckUid, address } = reporter
    if (!(await lockTrucksShift(db, event.shiftUid, truckUid))) throw new Refused('Shift not found for this truck.')
    const stored = await storeDriverEvent(db, { ...event, sender: { deviceUid }, address, isOfFormerHours: false })
    if (stored.result === 'refused') throw new Refused('This time is more than a day away from the shift.')
    if (stored.result === 'known') return repeatedEvent(db, reporter, event)
    const { problem } = stored
    if (!problem) return ['accepted']
    return ['accepted', `Kept as a report that does not count: ${describeEventProblem(problem)}.`]
  })

/** A repeated event is a duplicate. An id that belongs to a different event is refused: the first one counts. */
async function repeatedEvent(db: Db, reporter: Reporter, { eventId, shiftUid, kind }: ShiftEvent): Promise<Result> {
  const known = await db
    .selectFrom('driver_event')
    .select('event_id')
    .where('device_uid', '=', reporter.uid)
    .where('event_id', '=', eventId)
    .where('shift_uid', '=', shiftUid)
    .where('kind', '=', kind)
    .executeTakeFirst()
  if (!known) throw new Refused('This id is already used by another event.')
  return ['duplicate']
}

/** Stores issues that drivers report about their trucks. */
export const storeDriverIssues = (db: Db, reporter: Reporter, sent: unknown): Promise<BatchAck> =>
  processRows(db, reporter, new DeviceBatch<Issue>(sent, driverIssue, 'eventId'), async (db, issue) => {
    const { truckUid, address } = reporter
    const uid = await raiseDriverIssue(db, {
      truckUid,
      shiftUid: await findShiftAt(db, truckUid, issue.at),
      kind: issue.kind,
      eventId: `${reporter.uid} ${issue.eventId}`,
      text: issue.text,
      photoFileUid: issue.photoFileUid && (await claimPhoto(db, reporter, issue.photoFileUid, issue.at)),
      openedAt: issue.at,
      address,
    })
    return [uid ? 'accepted' : 'duplicate']
  })

/** Claims a photo for an issue in the name of the driver who uploaded it, because a device is no user. */
async function claimPhoto(db: Db, { truckUid, address }: Reporter, fileUid: string, at: string): Promise<string> {
  const { rows } = await sql<Omit<Actor, 'address' | 'sessionUid'>>`
    select u.uid, u.name, u.email, u.role, u.modules, u.client_uid as "clientUid"
      from stored_file f join user_account u on u.uid = f.announced_by
     where f.uid = ${fileUid} and exists (
       select 1 from shift s where s.truck_uid = ${truckUid} and s.driver_uid = u.uid and s.deleted_at is null
          and s.starts_at < ${at}::timestamptz + interval '1 day' and s.ends_at > ${at}::timestamptz - interval '1 day')`.execute(
    db,
  )
  const driver = rows[0]
  if (!driver) throw new Refused('Photo of a driver of this truck not found.')
  try {
    const scope: Scope = { rows: 'own', actor: { ...driver, sessionUid: '', address } }
    await claimFile(db, scope, { uid: fileUid, purpose: 'issue', field: 'photoFileUid' })
  } catch (error) {
    if (error instanceof AppError) throw new Refused(error.fields?.photoFileUid ?? error.message)
    throw error
  }
  return fileUid
}
