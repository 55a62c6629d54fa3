import {
  type ChannelChoice,
  defaultDigest,
  isOnByDefault,
  type NotificationChannel,
  notificationChannels,
  type NotificationKind,
  notificationKindOf,
  type NotificationSettings,
  type Role,
  type UserPermissions,
} from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Actor } from '../../platform/db/records/scope.ts'
import { officeZone } from '../../platform/db/office-zone.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { allowedKinds } from './rights.ts'
import type { Subscription } from './unsubscribe-token.ts'

/** When messages may reach a user. */
export type ReachableHours = Omit<NotificationSettings, 'choices'>

/** The kinds that the settings of a user offer. */
const offeredKinds = (user: UserPermissions): NotificationKind[] =>
  allowedKinds(user).filter((kind) => notificationKindOf(kind).isOffered)

const defaultHours = (role: Role, zone: string): ReachableHours => ({
  zone,
  quietHours: null,
  urgentPasses: false,
  digestAt: defaultDigest[role],
})

/** When messages may reach each of some users. */
export async function loadHours(
  db: Db,
  users: readonly { uid: string; role: Role }[],
): Promise<Map<string, ReachableHours>> {
  const uids = users.map(({ uid }) => uid)
  const rows = await db
    .selectFrom('notification_setting')
    .select(['user_uid', 'zone', 'quiet_from', 'quiet_to', 'urgent_passes', 'digest_at'])
    .where('user_uid', 'in', uids.length > 0 ? uids : [null])
    .execute()
  const zone = await officeZone(db)
  const hours = new Map(users.map(({ uid, role }) => [uid, defaultHours(role, zone)]))
  for (const { user_uid, zone, quiet_from: from, quiet_to: to, urgent_passes, digest_at } of rows) {
    const quietHours = from === null || to === null ? null : { from, to }
    hours.set(user_uid, { zone, quietHours, urgentPasses: urgent_passes, digestAt: digest_at })
  }
  return hours
}

const choiceKey = (userUid: string, kind: string, channel: string) => `${userUid} ${kind} ${channel}`

/** Whether each of some users wants a kind by a channel. */
export async function loadChoices(
  db: Db,
  users: readonly { uid: string; role: Role }[],
): Promise<(user: { uid: string; role: Role }, kind: NotificationKind, channel: NotificationChannel) => boolean> {
  const uids = users.map(({ uid }) => uid)
  const rows = await db
    .selectFrom('notification_choice')
    .select(['user_uid', 'kind', 'channel', 'is_on'])
    .where('user_uid', 'in', uids.length > 0 ? uids : [null])
    .execute()
  const chosen = new Map(rows.map((row) => [choiceKey(row.user_uid, row.kind, row.channel), row.is_on]))
  return ({ uid, role }, kind, channel) =>
    chosen.get(choiceKey(uid, kind, channel)) ?? isOnByDefault(role, kind, channel)
}

/** How notifications reach a user outside the console. */
export async function readNotificationSettings(db: Db, actor: Actor): Promise<NotificationSettings> {
  const hours = (await loadHours(db, [actor])).get(actor.uid) ?? defaultHours(actor.role, await officeZone(db))
  const isOn = await loadChoices(db, [actor])
  const choices = offeredKinds(actor).map((kind): ChannelChoice => ({
    kind,
    mail: isOn(actor, kind, 'mail'),
    push: isOn(actor, kind, 'push'),
  }))
  return { ...hours, choices }
}

/** Switches one channel of one kind for a user. */
export async function saveChoice(db: Db, { userUid, kind, channel }: Subscription, isOn: boolean): Promise<void> {
  await db
    .insertInto('notification_choice')
    .values({ user_uid: userUid, kind, channel, is_on: isOn })
    .onConflict((conflict) =>
      conflict.columns(['user_uid', 'kind', 'channel']).doUpdateSet({ is_on: isOn, changed_at: new Date() }),
    )
    .execute()
}

export const saveNotificationSettings = (
  db: Db,
  actor: Actor,
  { choices, zone, quietHours, urgentPasses, digestAt }: NotificationSettings,
): Promise<NotificationSettings> =>
  inTransaction(db, async (db) => {
    const offered = offeredKinds(actor)
    if (choices.some(({ kind }) => !offered.includes(kind)))
      refuseFields({ choices: 'Your role and modules do not include one of these kinds.' })
    const hours = {
      zone,
      quiet_from: quietHours?.from ?? null,
      quiet_to: quietHours?.to ?? null,
      urgent_passes: urgentPasses,
      digest_at: digestAt,
    }
    await db
      .insertInto('notification_setting')
      .values({ user_uid: actor.uid, ...hours })
      .onConflict((conflict) => conflict.column('user_uid').doUpdateSet({ ...hours, changed_at: new Date() }))
      .execute()
    const isOn = await loadChoices(db, [actor])
    for (const choice of choices)
      for (const channel of notificationChannels)
        if (isOn(actor, choice.kind, channel) !== choice[channel])
          await saveChoice(db, { userUid: actor.uid, kind: choice.kind, channel }, choice[channel])
    return readNotificationSettings(db, actor)
  })
