import {
  isForDrivers,
  type NotificationKind,
  notificationKinds,
  notificationKindOf,
  type Role,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'

/** The condition that a kind tells of, for as long as the watcher sees it. */
const watchedConditions: Partial<Record<NotificationKind, string>> = {
  campaignBehind: 'delivery.behind',
  deviceOffline: 'device.offline',
  storageFull: 'storage.filling',
}

/** Good news asks nothing of the people who work here. */
const newsKinds = notificationKinds.filter((kind) => notificationKindOf(kind).isNews)

/** Notifications to dispatch about one shift. */
const ofDispatch = notificationKinds.filter(
  (kind) => notificationKindOf(kind).group === 'Shifts' && !isForDrivers(kind),
)

/** Of several about one issue the last one counts: it repeats the others. */
const isLastOfObject = sql`not exists (
  select from notification later
   where later.user_uid = n.user_uid and later.object = n.object and later.read_at is null and later.at > n.at)`

const isOpenIssue = (userUid: string) => sql`${isLastOfObject} and exists (
  select from truck_issue i
   where i.uid = substr(n.object, length('issue ') + 1)::uuid and i.status <> 'resolved' and i.deleted_at is null
     and (i.snoozed_until is null or i.snoozed_until <= now()) and (i.assignee_uid is null or i.assignee_uid = ${userUid}))`

const isWatched = sql`exists (
  select from watched_condition w
   where w.key = (${JSON.stringify(watchedConditions)}::jsonb ->> n.kind) || ' ' || n.object and w.raised_at is not null)`

const hasWaitingPhotos = sql`exists (
  select from pop_photo o where o.program_uid = n.program_uid and o.status = 'waiting' and o.deleted_at is null)`

/** A late shift needs dispatch until it starts, anything else about a shift until the shift is over. */
const isOpenShift = sql`exists (
  select from shift s
   where s.uid = n.shift_uid and s.deleted_at is null
     and (s.status = 'planned' or s.status = 'out' and n.kind <> all('{shiftLate,noShow}')))`

/**
 * Whether unread notification `n` still needs its reader. What it tells of is asked now, so one that has settled itself,
 * that a colleague has taken, or that only says so stops counting without anyone opening it.
 */
export const needsReader = ({ uid, role }: { uid: string; role: Role }): RawBuilder<boolean> => sql`(
  n.read_at is null and case
    when n.object like 'issue %' then ${isOpenIssue(uid)}
    when n.kind = any(${Object.keys(watchedConditions)}) then ${isWatched}
    when n.kind = 'photoWaiting' then ${hasWaitingPhotos}
    when n.kind = any(${ofDispatch}) then ${isOpenShift}
    else ${role === 'client'} or n.kind <> all(${newsKinds})
  end)`
