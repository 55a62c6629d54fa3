import { type ActProblem, blocksTruck, type driverAct, shiftRange, startWindowOpens } from '@roadshow/contract'
import { sql } from 'kysely'
import type { z } from 'zod'
import {
  type DriversShift,
  isFarFrom,
  loadFormerPlans,
  newestAnswer,
  storeDriverEvent,
} from '../../planning/shifts/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { gatherReport } from '../../platform/outbox/index.ts'
import { claimIssuePhotos, raiseDriverIssue } from '../fleet/index.ts'
import { storeInspection } from '../inspections/index.ts'
import { noteTimeAnswer } from '../shift-times/index.ts'
import { ActRefused, answeredPlan, planAt, problemOfShift, toActProblem } from './rules.ts'

export type ParsedAct = z.output<typeof driverAct>
type ActOf<Kind extends ParsedAct['kind']> = Extract<ParsedAct, { kind: Kind }>

/** An act with its true time and all that its handler needs. */
interface ReceivedAct<Act> {
  act: Act
  /** By the server's clock. */
  at: string
  shift: DriversShift
  scope: Scope
}

/** Stores an act, in the transaction of its id. Answers why it changes nothing, if so. */
export type ActHandler<Kind extends ParsedAct['kind']> = (
  db: Db,
  received: ReceivedAct<ActOf<Kind>>,
) => Promise<ActProblem | null>

/** The columns that the rows of acts share. */
const signed = ({ act, at, shift, scope: { actor } }: ReceivedAct<{ actId: string }>) => ({
  shift_uid: shift.uid,
  driver_uid: actor.uid,
  act_id: act.actId,
  at,
  changed_by: actor.uid,
  changed_from: actor.address,
})

type ToldToDispatch = 'shift.declined' | 'shift.driverMessage' | 'shift.truckRequested'

/** Tells dispatch what a driver has said about a shift; what comes within seconds is told as one. */
const tellDispatch = (db: Db, { shift, scope: { actor } }: ReceivedAct<object>, type: ToldToDispatch, said: object) =>
  gatherReport(db, {
    type,
    object: `shift ${shift.uid}`,
    sender: actor.uid,
    data: { ...said, from: actor.name, driverUid: actor.uid },
  })

export const actHandlers: { [Kind in ParsedAct['kind']]: ActHandler<Kind> } = {
  start: keepDriverEvent,
  stop: keepDriverEvent,

  /** Whether a driver takes a shift. The last answer by its true time counts, and only for the plan it is about. */
  async answer(db, received) {
    const { act, at, shift } = received
    const { answer, reason, seen } = act
    const plan = answeredPlan(shift, await loadFormerPlans(db, shift), { seen, at })
    const { truckUid: truck_uid, date: local_date, start: start_time, end: end_time } = plan
    await db
      .insertInto('shift_answer')
      .values({ ...signed(received), answer, reason, truck_uid, local_date, start_time, end_time })
      .execute()
    const problem = problemOfShift(shift) ?? (plan.isCurrent ? null : 'shiftMoved')
    const isDeclined = answer === 'declined' && problem === null && blocksTruck(shift.status)
    if (isDeclined && (await isNewest(db, shift.uid, act.actId))) {
      await tellDispatch(db, received, 'shift.declined', { reason })
    }
    return problem
  },

  /** A message to dispatch, also of a shift that is another driver's by now. */
  async message(db, received) {
    const { act, shift } = received
    const { text } = act
    await db
      .insertInto('shift_message')
      .values({ ...signed(received), text })
      .execute()
    await tellDispatch(db, received, 'shift.driverMessage', { text })
    return problemOfShift(shift)
  },

  /** A driver stands at another truck than planned. It is open until dispatch changes the truck or dismisses it. */
  async otherTruck(db, received) {
    const { act, at, shift } = received
    const { truckNumber: truck_number, text } = act
    const plan = planAt(shift, await loadFormerPlans(db, shift), at)
    await db
      .insertInto('truck_request')
      .values({ ...signed(received), truck_number, text, planned_truck_uid: plan.truckUid })
      .execute()
    const problem = problemOfShift(shift) ?? (plan.truckUid === shift.truckUid ? null : 'shiftMoved')
    if (problem === null) {
      await tellDispatch(db, received, 'shift.truckRequested', { truck: truck_number, text })
    }
    return problem
  },

  /** An issue of the truck that the shift had when the driver reported it. */
  async issue(db, { act, at, shift, scope }) {
    const { truckUid } = planAt(shift, await loadFormerPlans(db, shift), at)
    if (!(await claimIssuePhotos(db, scope, [act.photoFileUid]))) throw new ActRefused('fileMissing')
    await raiseDriverIssue(db, {
      truckUid,
      shiftUid: shift.uid,
      kind: act.issueKind,
      text: act.text,
      photoFileUid: act.photoFileUid,
      openedAt: at,
      reportedBy: scope.actor.uid,
      address: scope.actor.address,
    })
    return problemOfShift(shift)
  },

  async inspection(db, { act, at, shift, scope }) {
    const problem = await storeInspection(db, { act, at, truckUid: shift.truckUid, scope })
    if (problem) throw new ActRefused(problem)
    return null
  },

  /** An answer about a start or stop. A corrected time is an event of the driver like any other. */
  async timeAnswer(db, { act, shift, scope }) {
    const { actId, shiftUid, place, time, about, seenAt, isCorrected } = act
    if (Date.parse(seenAt) > (await sharedNow(db))) throw new ActRefused('future')
    if (shift.isOwn) {
      await noteTimeAnswer(db, shift.uid, { time, about, seenAt, isCorrected, answeredBy: scope.actor.uid })
    }
    if (!isCorrected) return null
    return keepDriverEvent(db, { act: { kind: time, actId, at: seenAt, shiftUid, place }, at: seenAt, shift, scope })
  },
}

/** Whether no later answer of the driver is stored already. */
async function isNewest(db: Db, shiftUid: string, actId: string): Promise<boolean> {
  const { rows } = await sql<{ actId: string }>`
    select ${newestAnswer(sql`n.act_id`)} as "actId" from shift t where t.uid = ${shiftUid}`.execute(db)
  return rows[0]?.actId === actId
}

type StartOrStop = ReceivedAct<ActOf<'start' | 'stop'>>

/** Stores a start or stop as an event on the shift, even if the shift has changed meanwhile. */
async function keepDriverEvent(db: Db, received: StartOrStop): Promise<ActProblem | null> {
  const { act, at, shift, scope } = received
  const stored = await storeDriverEvent(db, {
    sender: { userUid: scope.actor.uid },
    eventId: act.actId,
    shiftUid: shift.uid,
    kind: act.kind,
    at,
    address: scope.actor.address,
    isOfFormerHours: await fitsFormerHours(db, received),
  })
  if (stored.result === 'refused') throw new ActRefused('tooFarAway')
  if (stored.result === 'known') throw new ActRefused('idUsed')
  return toActProblem(stored.problem)
}

/** Whether an event fits hours that the shift had before: the phone may not have known of the change. */
async function fitsFormerHours(db: Db, { act, at, shift }: StartOrStop): Promise<boolean> {
  const time = Date.parse(at)
  return (await loadFormerPlans(db, shift)).some(({ date, start, end }) => {
    const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ date, start, end, zone: shift.zone })
    const isInTime = act.kind === 'stop' || time >= startWindowOpens(startsAt)
    return isInTime && !isFarFrom({ startsAt, endsAt }, time)
  })
}
