import { type ActProblem, type ActResult, type BodyOf, driverAct, type driverApp } from '@roadshow/contract'
import { lockDriversShift } from '../../planning/shifts/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { senderClockOffset } from '../../platform/runtime/sender-clock.ts'
import { idOfRow, reasonOfRow, timeProblemOfEvent, TOO_MANY_REPORTS } from '../device-batches/index.ts'
import { keepPlaces, PHONE_SOURCE } from '../telemetry/index.ts'
import { type ActHandler, actHandlers, type ParsedAct } from './act-handlers.ts'
import { noteContact } from './phones.ts'
import { ActRefused, problemWords } from './rules.ts'

type Outcome = Pick<ActResult, 'result' | 'problem' | 'reason'>

const outcome = (result: ActResult['result'], problem: ActProblem | null): Outcome => ({
  result,
  problem,
  reason: problem ? problemWords[problem] : '',
})

const LATER: Outcome = { ...outcome('later', null), reason: TOO_MANY_REPORTS }

/**
 * Stores what a driver did on the phone. Each act is a transaction of its own, so that a refused one holds up no other. The
 * first ones are taken, all of them unless said otherwise; the phone sends the others again.
 */
export async function receiveActs(
  db: Db,
  scope: Scope,
  { sentAt, acts }: BodyOf<typeof driverApp.acts>,
  taken = acts.length,
) {
  const now = await sharedNow(db)
  const offsetMs = senderClockOffset(Date.parse(sentAt), now)
  await noteContact(db, scope.actor.uid, offsetMs)
  const results: ActResult[] = []
  for (const [index, sent] of acts.entries()) {
    const done = index < taken ? await readAct(db, scope, { sent, offsetMs, now }) : LATER
    results.push({ actId: idOfRow(sent, 'actId'), ...done })
  }
  return { results, serverTime: new Date(now).toISOString() }
}

interface SentAct {
  sent: unknown
  offsetMs: number
  now: number
}

async function readAct(db: Db, scope: Scope, { sent, offsetMs, now }: SentAct): Promise<Outcome> {
  const { success, data: act, error } = driverAct.safeParse(sent)
  if (!success) return { ...outcome('rejected', 'invalid'), reason: reasonOfRow(error) }
  return receiveAct(db, scope, { act, at: Date.parse(act.at) + offsetMs, now })
}

async function receiveAct(db: Db, scope: Scope, { act, at, now }: { act: ParsedAct; at: number; now: number }) {
  const trueAt = new Date(at).toISOString()
  const wrong = timeProblemOfEvent(trueAt, now)
  if (wrong) return outcome(wrong.result, wrong.result === 'later' ? 'future' : 'tooOld')
  try {
    return await inTransaction(db, (db) => storeAct(db, scope, act, trueAt))
  } catch (error) {
    if (error instanceof ActRefused) return outcome('rejected', error.problem)
    throw error
  }
}

async function storeAct(db: Db, scope: Scope, act: ParsedAct, at: string): Promise<Outcome> {
  // The shift is locked before anything that refers to it is stored: two acts of one shift wait for each other.
  const shift = await lockDriversShift(db, act.shiftUid, scope.actor.uid)
  if (!shift) throw new ActRefused('shiftOfAnother')
  const { place } = act
  const stored = await db
    .insertInto('driver_act')
    .values({
      user_uid: scope.actor.uid,
      act_id: act.actId,
      kind: act.kind,
      shift_uid: act.shiftUid,
      phone_at: act.at,
      at,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
      accuracy_m: place?.accuracyM ?? null,
      changed_from: scope.actor.address,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('act_id')
    .executeTakeFirst()
  if (!stored) return repeatedAct(db, scope.actor.uid, act)
  const handler = actHandlers[act.kind] as ActHandler<typeof act.kind>
  const problem = await handler(db, { act, at, shift, scope })
  if (problem === null) await keepPlace(db, act, { truckUid: shift.truckUid, at })
  if (problem) await ofAct(db, scope.actor.uid, act.actId).set({ problem }).execute()
  return outcome('accepted', problem)
}

/** Acts that a driver does at the truck. */
const AT_TRUCK = ['start', 'stop', 'inspection']
/** A phone indoors knows its place by cell towers alone. */
const EXACT_M = 100

/** Keeps where the phone was when the driver was at the truck: it counts where the truck's trackers are silent. */
async function keepPlace(db: Db, { kind, place }: ParsedAct, { truckUid, at }: { truckUid: string; at: string }) {
  if (!place || place.accuracyM > EXACT_M || !AT_TRUCK.includes(kind)) return
  const { latitude, longitude } = place
  await keepPlaces(db, PHONE_SOURCE, [{ truckUid, at: Date.parse(at), latitude, longitude }])
}

const ofAct = (db: Db, userUid: string, actId: string) =>
  db.updateTable('driver_act').where('user_uid', '=', userUid).where('act_id', '=', actId)

/** A repeated act is a duplicate with the same problem. An id that belongs to a different act is refused. */
async function repeatedAct(db: Db, userUid: string, { actId, kind, shiftUid, at }: ParsedAct): Promise<Outcome> {
  const known = await db
    .selectFrom('driver_act')
    .select('problem')
    .where('user_uid', '=', userUid)
    .where('act_id', '=', actId)
    .where('kind', '=', kind)
    .where('shift_uid', '=', shiftUid)
    .where('phone_at', '=', at)
    .executeTakeFirst()
  if (!known) throw new ActRefused('idUsed')
  return outcome('duplicate', known.problem as ActProblem | null)
}
