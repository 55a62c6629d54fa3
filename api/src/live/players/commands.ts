import {
  type BodyOf,
  COMMAND_SECONDS,
  type DeviceCommand,
  type DeviceCommandKind,
  type GivenCommand,
  PATTERN_SECONDS,
  SCREEN_PICTURE_MINUTES,
  type screens,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { BlobStore } from '../../platform/files/index.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import type { SweepContext } from '../../platform/lifetimes/lifetime.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { answerText, type CommandResult } from './command-rules.ts'

const NEWEST = 10

export const pictureBlob = (commandUid: string): string => `screen-${commandUid}`

interface CommandRow extends Omit<GivenCommand, 'answer'> {
  deviceUid: string
  reason: string
  wasSent: boolean
}

/** A command is over at its time, even before the job has noted it. */
const COMMANDS = sql`
  select c.uid, c.device_uid as "deviceUid", c.kind,
         case when c.state = 'waiting' and c.expires_at <= now() then 'expired' else c.state end as state,
         c.answer as reason, c.sent_at is not null as "wasSent", json_build_object('uid', u.uid, 'name', u.name) as by,
         c.asked_at as "askedAt", c.answered_at as "answeredAt",
         c.has_picture and c.picture_removed_at is null
           and c.asked_at > now() - ${sql.lit(SCREEN_PICTURE_MINUTES)} * interval '1 minute' as "hasPicture"
    from device_command c join user_account u on u.uid = c.asked_by`

async function readCommands(db: Db, condition: RawBuilder<unknown>): Promise<CommandRow[]> {
  return (await sql<CommandRow>`${COMMANDS} where ${condition}`.execute(db)).rows
}

const toCommand = ({ uid, kind, by, askedAt, answeredAt, hasPicture, ...stored }: CommandRow): GivenCommand => ({
  uid,
  kind,
  state: stored.state,
  answer: answerText(stored),
  by,
  askedAt,
  answeredAt,
  hasPicture,
})

/** The newest commands of each of these devices. */
export async function newestCommands(db: Db, deviceUids: readonly string[]): Promise<Map<string, GivenCommand[]>> {
  const newest = sql`c.uid in (select n.uid from unnest(${deviceUids}::uuid[]) d (uid) cross join lateral (
    select uid from device_command where device_uid = d.uid order by asked_at desc limit ${sql.lit(NEWEST)}) n)
    order by c.asked_at desc`
  const rows = deviceUids.length === 0 ? [] : await readCommands(db, newest)
  return new Map(deviceUids.map((uid) => [uid, rows.filter((row) => row.deviceUid === uid).map(toCommand)]))
}

const lasts = new Set<DeviceCommandKind>(['testPattern', 'blank'])

/** Stores a command for a paired player, or answers the one of its kind that still waits. */
export const giveCommand = (
  db: Db,
  { actor }: Scope,
  deviceUid: string,
  { kind, seconds }: BodyOf<typeof screens.command>,
): Promise<GivenCommand> =>
  inTransaction(db, async (db) => {
    await refuseOthers(db, deviceUid)
    await expire(db, sql`device_uid = ${deviceUid}`)
    await sql`
      insert into device_command (device_uid, kind, seconds, asked_by, expires_at)
      values (${deviceUid}, ${kind}, ${lasts.has(kind) ? (seconds ?? PATTERN_SECONDS) : null}, ${actor.uid},
              now() + ${COMMAND_SECONDS} * interval '1 second')
      on conflict (device_uid, kind) where state = 'waiting' do nothing`.execute(db)
    const [given] = await readCommands(
      db,
      sql`c.device_uid = ${deviceUid} and c.kind = ${kind} and c.state = 'waiting'`,
    )
    if (!given) throw new AppError('unavailable')
    return toCommand(given)
  })

/** Commands are for players that can answer. The row is locked, so that it is not removed meanwhile. */
async function refuseOthers(db: Db, deviceUid: string): Promise<void> {
  const device = await db
    .selectFrom('device')
    .select(['kind', 'key_hash'])
    .where('uid', '=', deviceUid)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!device) throw new AppError('notFound')
  if (device.kind !== 'player') throw new AppError('notAScreen')
  if (device.key_hash === null) throw new AppError('screenUnpaired')
}

/** The commands that wait for a device, in the order they were given. Notes that they are passed on. */
export async function takeWaiting(db: Db, deviceUid: string): Promise<DeviceCommand[]> {
  const { rows } = await sql<DeviceCommand & { askedAt: string }>`
    update device_command set sent_at = coalesce(sent_at, now())
     where device_uid = ${deviceUid} and state = 'waiting' and expires_at > now()
    returning uid as "commandUid", kind, expires_at as "expiresAt", seconds, asked_at as "askedAt"`.execute(db)
  return rows
    .toSorted((one, other) => (one.askedAt < other.askedAt ? -1 : 1))
    .map(({ commandUid, kind, expiresAt, seconds }) => ({ commandUid, kind, expiresAt, seconds }))
}

/** Stores the first answer to a command. A late one changes nothing: the page already said that there was none. */
export async function storeAnswer(
  db: Db,
  blobs: BlobStore,
  commandUid: string,
  { state, reason, picture }: CommandResult,
): Promise<void> {
  // The picture first: a command that is done has its picture. The sweep also removes one whose answer was late.
  if (picture) await blobs.write(pictureBlob(commandUid), picture, 'image/jpeg')
  await sql`
    update device_command set state = ${state}, answer = ${reason}, answered_at = now(), has_picture = ${picture !== undefined}
     where uid = ${commandUid} and state = 'waiting' and expires_at > now()`.execute(db)
}

/** The device of a command whose picture can still be loaded. */
export async function deviceOfPicture(db: Db, commandUid: string): Promise<string> {
  const [found] = await readCommands(db, sql`c.uid = ${commandUid}`)
  if (!found?.hasPicture) throw new AppError('notFound')
  return found.deviceUid
}

const expire = (db: Db, condition: RawBuilder<unknown>) =>
  sql`update device_command set state = 'expired' where ${condition} and state = 'waiting' and expires_at <= now()`.execute(
    db,
  )

/** Ends commands without an answer, so that pages learn of it. */
export const expireCommands = defineJob('expire-device-commands', ({ db }) => expire(db, sql`true`))

const PICTURES_AT_ONCE = 1000

/** Removes pictures of screens after their time. Answers whether more may be left. */
export async function removePictures({ db, blobs, signal }: SweepContext): Promise<boolean> {
  const { rows } = await sql<{ uid: string }>`
    select uid from device_command where kind = 'showScreen' and picture_removed_at is null
       and asked_at < now() - ${sql.lit(SCREEN_PICTURE_MINUTES)} * interval '1 minute'
     order by asked_at limit ${sql.lit(PICTURES_AT_ONCE)}`.execute(db)
  for (const { uid } of rows) {
    if (signal.aborted) break
    await blobs.remove(pictureBlob(uid))
    await db
      .updateTable('device_command')
      .set({ picture_removed_at: sql`now()` })
      .where('uid', '=', uid)
      .execute()
  }
  return rows.length === PICTURES_AT_ONCE
}
