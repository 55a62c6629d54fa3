import { ANSWER_HOURS, type DriverMark, driverMarks, LATE_MINUTES, PHONE_OFFLINE_HOURS } from '@roadshow/contract'
import { sql } from 'kysely'
import { renderOnce, type SqlFragment } from '../../platform/db/records/fragments.ts'
import { holdsTruckAt } from './shift-sql.ts'

// What was said about the shift while it was another driver's is left out: each row names its driver. Of two with the
// same time the id decides, so that the order of arrival does not.

/** A value of the newest answer `n` of the driver of shift `t`. */
export const newestAnswer = (value: SqlFragment): SqlFragment => sql`(
  select ${value} from shift_answer n where n.shift_uid = t.uid and n.driver_uid = t.driver_uid
   order by n.at desc, n.act_id desc limit 1)`

/** Whether answer `n` is about the present plan of shift `t`. */
export const IS_OF_PRESENT_PLAN = renderOnce(
  sql`(n.truck_uid, n.local_date, n.start_time, n.end_time) = (t.truck_uid, t.local_date, t.start_time, t.end_time)`,
)

/** A value of the newest request `q` for another truck, while it is open. */
export const openTruckRequest = (value: SqlFragment): SqlFragment => sql`(
  select case when q.dismissed_at is null and q.planned_truck_uid = t.truck_uid then ${value} end
    from truck_request q where q.shift_uid = t.uid and q.driver_uid = t.driver_uid
   order by q.at desc, q.act_id desc limit 1)`

const answered = (value: SqlFragment) => newestAnswer(sql`case when ${IS_OF_PRESENT_PLAN} then ${value} end`)

/** What the driver said about the shift on the phone. */
const said = {
  driverAnswer: renderOnce(answered(sql`n.answer`)),
  declineReason: renderOnce(sql`coalesce(${answered(sql`case n.answer when 'declined' then n.reason end`)}, '')`),
  requestedTruck: renderOnce(openTruckRequest(sql`q.truck_number`)),
}

const hours = (count: number) => sql`${sql.lit(`${count} hours`)}::interval`
const LATE = sql`${sql.lit(`${LATE_MINUTES} minutes`)}::interval`
// Dispatch may answer a request for so long after the planned end. The hold does not say it: the driver may never have had
// the planned truck.
const ANSWERABLE = hours(12)

/** Until the first driver has opened the app, no one can answer, and no shift waits for an answer. */
const IS_APP_IN_USE = sql`(select exists (select from driver_phone))`
const HAS_NO_ANSWER = sql`t.status = 'planned' and ${IS_APP_IN_USE} and ${said.driverAnswer} is null`

/** The planned start of shift `t` has passed, and it has not started. */
export const IS_NOT_STARTED = renderOnce(sql`t.status = 'planned' and t.starts_at + ${LATE} < now()`)
export const IS_STARTED_LATE = renderOnce(
  sql`t.status in ('out', 'completed') and t.started_at > t.starts_at + ${LATE}`,
)

/**
 * How shift `t` started: one of the contract's `startOutcomes`, null while it is not due and for canceled shifts. A due shift
 * without a reported start is neither late nor on time.
 */
export const START_OUTCOME = renderOnce(sql`case
  when t.status = 'noShow' then 'noShow'
  when ${IS_STARTED_LATE} then 'late'
  when t.status in ('out', 'completed') and t.started_at is not null then 'onTime'
  when t.status <> 'cancelled' and t.starts_at + ${LATE} < now() then 'noData' end`)

/**
 * The last contact of a driver's phone, if it is offline at a moment. A driver who has not opened the app for two weeks
 * works without it.
 */
export const phoneOfflineSince = (driver: SqlFragment, at: SqlFragment): SqlFragment => sql`(
  select f.seen_at from driver_phone f
   where f.user_uid = ${driver} and f.seen_at < ${at} - ${hours(PHONE_OFFLINE_HOURS)}
     and f.seen_at > ${at} - interval '14 days')`

// The rows of drivers are looked up last: only few shifts are near enough to be marked.
const isMarked: Record<DriverMark, SqlFragment> = {
  declined: sql`t.status = 'planned' and t.ends_at > now()
    and t.uid in (select a.shift_uid from shift_answer a where a.answer = 'declined') and ${said.driverAnswer} = 'declined'`,
  otherTruck: sql`t.status in ('planned', 'out') and t.ends_at > now() - ${ANSWERABLE}
    and t.uid in (select a.shift_uid from truck_request a where a.dismissed_at is null) and ${said.requestedTruck} is not null`,
  unanswered: sql`t.starts_at > now() and t.starts_at <= now() + ${hours(ANSWER_HOURS)} and ${HAS_NO_ANSWER}`,
  notStarted: IS_NOT_STARTED,
  startedLate: IS_STARTED_LATE,
  // No shift is started a day before its plan.
  phoneOffline: sql`t.status in ('planned', 'out') and t.starts_at < now() + interval '1 day'
    and ${holdsTruckAt('t', sql`now()`)} and ${phoneOfflineSince(sql`t.driver_uid`, sql`now()`)} is not null`,
}

/** Whether shift `t` has a mark. */
export const hasMark = (mark: DriverMark): SqlFragment => sql`(${isMarked[mark]})`

const MARKS = renderOnce(
  sql`array_remove(array[${sql.join(
    driverMarks.map((mark) => sql`case when ${isMarked[mark]} then ${sql.lit(mark)} end`),
  )}], null)`,
)

/** What the driver said on the phone, and what dispatch should look at. */
export const driverSigns = { ...said, driverMarks: MARKS }

/** What clients see of them. */
export const NO_DRIVER_SIGNS = { driverAnswer: null, declineReason: '', requestedTruck: null, driverMarks: [] }

/** The filters by what drivers said and did. */
export const driverFilters = {
  driverAnswer: (wanted: string[]) => sql`(
    ('none' = any(${wanted}) and ${HAS_NO_ANSWER})
    or (t.uid in (select a.shift_uid from shift_answer a where a.answer = any(${wanted}))
        and ${said.driverAnswer} = any(${wanted})))`,
  driverMark: (wanted: string[]) => sql`${MARKS} && ${wanted}::text[]`,
}
