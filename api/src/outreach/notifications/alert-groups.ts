import type { NotificationChannel, NotificationKind } from '@roadshow/contract'
import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { cancelMessage, rewriteMessage } from '../../platform/outbox/index.ts'
import type { Push } from '../push/index.ts'
import { type AlertStage, gatheredWith, groupSubject } from './alert-group-rules.ts'
import { FLEET_PATH, groupMail, type MailReader, noticeMail, type NoticeWords } from './mails.ts'
import { noticePush } from './pushes.ts'

type GroupEnv = Pick<AppContext, 'env'>['env']

/** The keys of notifications of a stage begin with this. */
export const stageKey = (stage: AlertStage) => `issue ${stage}`

/** Alerts that are raised within this time of the first of a group join it, if it has not left. */
const JOINABLE_SINCE = sql<string>`now() - interval '2 minutes'`

/** A message that no node has tried to send: what it says may still change. */
const isUntried = sql<boolean>`m.state = 'waiting' and m.attempts = 0 and m.leased_until is null`

type OpenGroup = Awaited<ReturnType<typeof openGroups>>[number]

/** The messages to a person that another alert of the kind can join. They stay locked, so that no node sends them meanwhile. */
export const openGroups = (
  db: Db,
  { userUid, kind, stage }: { userUid: string; kind: NotificationKind; stage: AlertStage },
) =>
  db
    .selectFrom('message as m')
    .select(['m.uid', 'm.channel', 'm.target', 'm.created_at as createdAt', 'm.next_at as nextAt'])
    .$narrowType<{ channel: NotificationChannel }>()
    .where('m.uid', 'in', (eb) =>
      eb
        .selectFrom('notification as n')
        .innerJoin('notification_message as l', 'l.notification_uid', 'n.uid')
        .select('l.message_uid')
        .where('n.user_uid', '=', userUid)
        .where('n.at', '>', JOINABLE_SINCE)
        .where('n.kind', '=', kind)
        .where(sql<boolean>`starts_with(n.key, ${`${stageKey(stage)} `})`),
    )
    .where(isUntried)
    .where('m.created_at', '>', JOINABLE_SINCE)
    .forUpdate('m')
    .skipLocked()
    .execute()

interface Member extends NoticeWords {
  object: string
  key: string
  truck: string | null
}

/** What a message tells of, the earliest first. */
async function membersOf(db: Db, messageUid: string): Promise<Member[]> {
  const rows = await db
    .selectFrom('notification_message as l')
    .innerJoin('notification as n', 'n.uid', 'l.notification_uid')
    .leftJoin('truck_issue as i', (join) =>
      join.on(sql<boolean>`n.object like 'issue %' and i.uid = substr(n.object, 7)::uuid`),
    )
    .leftJoin('truck as t', 't.uid', 'i.truck_uid')
    .select(['n.kind', 'n.key', 'n.subject', 'n.text', 'n.path', 'n.object', 't.number as truck'])
    .$narrowType<{ kind: NotificationKind }>()
    .where('l.message_uid', '=', messageUid)
    .orderBy('n.at')
    .orderBy('n.uid')
    .execute()
  return rows.map((row) => ({ ...row, language: 'en' }))
}

const stageOf = ({ key }: Member): AlertStage =>
  (['repeated', 'resolved'] as const).find((stage) => key.startsWith(stageKey(stage))) ?? 'opened'

interface Rewritten extends Pick<OpenGroup, 'uid' | 'channel'> {
  reader: MailReader
  nextAt?: Date
}

function contentOf(env: GroupEnv, { uid, channel, reader }: Rewritten, members: readonly [Member, ...Member[]]) {
  const [first] = members
  const isOne = members.length === 1
  const { kind } = first
  const subject = isOne
    ? first.subject
    : groupSubject(
        kind,
        stageOf(first),
        members.map(({ truck, subject }) => truck ?? subject),
      )
  if (channel === 'mail') {
    const payload = isOne ? noticeMail(env, reader, first) : groupMail(env, reader, { subject, notices: members })
    return { subject, payload }
  }
  const together: NoticeWords = {
    kind,
    language: first.language,
    subject,
    text: members.map((each) => each.subject).join('\n'),
    path: FLEET_PATH,
  }
  const payload: Push = isOne ? noticePush(first, first.object) : noticePush(together, `group ${uid}`)
  return { subject, payload }
}

/** Makes a message say what it tells of by now; one that tells of nothing any more is canceled. */
async function rewrite(db: Db, env: GroupEnv, message: Rewritten): Promise<void> {
  const [first, ...others] = await membersOf(db, message.uid)
  if (!first) {
    await cancelMessage(db, message.uid, 'The issue was resolved before this was sent.')
    return
  }
  const { nextAt } = message
  await rewriteMessage(db, message.uid, { ...contentOf(env, message, [first, ...others]), ...(nextAt && { nextAt }) })
}

/** Adds an alert to a message that waits for others like it. */
export async function joinGroup(
  db: Db,
  env: GroupEnv,
  { group, notificationUid, reader }: { group: OpenGroup; notificationUid: string; reader: MailReader },
): Promise<void> {
  const { uid, channel } = group
  await db.insertInto('notification_message').values({ message_uid: uid, notification_uid: notificationUid }).execute()
  const times = { createdAt: Date.parse(group.createdAt), nextAt: Date.parse(group.nextAt) }
  await rewrite(db, env, { uid, channel, reader, nextAt: new Date(gatheredWith(times, await sharedNow(db))) })
}

/** The messages that the notifications of an object went into. */
const messagesAbout = (db: Db, object: string) =>
  db
    .selectFrom('notification as n')
    .innerJoin('notification_message as l', 'l.notification_uid', 'n.uid')
    .innerJoin('message as m', 'm.uid', 'l.message_uid')
    .select(['n.user_uid as userUid', 'm.channel'])
    .$narrowType<{ channel: NotificationChannel }>()
    .where('n.object', '=', object)

/**
 * Makes the notifications of a notice, and messages of them that no node has tried to send, say what they tell of by now.
 * News is unread again.
 */
export async function rewriteNotice(
  db: Db,
  env: GroupEnv,
  { object, key, subject, text }: Record<'object' | 'key' | 'subject' | 'text', string>,
  isNews: boolean,
): Promise<void> {
  await db
    .updateTable('notification')
    .set({ subject, text, ...(isNews && { read_at: null }) })
    .where('object', '=', object)
    .where('key', '=', key)
    .execute()
  const untried = await messagesAbout(db, object)
    .innerJoin('user_account as u', 'u.uid', 'n.user_uid')
    .select(['m.uid', 'u.email', 'u.name'])
    .where('n.key', '=', key)
    .where(isUntried)
    .orderBy('m.uid')
    .forUpdate('m')
    .skipLocked()
    .execute()
  for (const { uid, channel, userUid, email, name } of untried) {
    await rewrite(db, env, { uid, channel, reader: { uid: userUid, email, name } })
  }
}

/** Names a person and a channel. */
export const reachKey = (userUid: string, channel: NotificationChannel) => `${userUid} ${channel}`

/**
 * Takes an issue that is over out of messages that no node has tried to send. Answers whom its beginning has not reached by
 * which channel (`reachKey`): they need not hear of its end either.
 */
export async function takeOut(
  db: Db,
  env: GroupEnv,
  { object, opening }: { object: string; opening: string },
): Promise<Set<string>> {
  const openedKey = `${stageKey('opened')} ${opening}`
  const untold = await messagesAbout(db, object)
    .innerJoin('user_account as u', 'u.uid', 'n.user_uid')
    .select(['m.uid', 'n.uid as notificationUid', 'n.key', 'u.email', 'u.name'])
    .where(sql<boolean>`(n.key = ${openedKey} or starts_with(n.key, ${`${stageKey('repeated')} ${opening}`}))`)
    .where(isUntried)
    .orderBy('m.uid')
    .forUpdate('m')
    .skipLocked()
    .execute()
  for (const { uid, channel, notificationUid, userUid, email, name } of untold) {
    await db
      .deleteFrom('notification_message')
      .where('message_uid', '=', uid)
      .where('notification_uid', '=', notificationUid)
      .execute()
    await rewrite(db, env, { uid, channel, reader: { uid: userUid, email, name } })
  }
  const unreached = new Set(
    untold.filter(({ key }) => key === openedKey).map(({ userUid, channel }) => reachKey(userUid, channel)),
  )
  if (unreached.size === 0) return unreached
  // Of several browsers one may have had it already.
  const reached = await messagesAbout(db, object).where('n.key', '=', openedKey).distinct().execute()
  for (const { userUid, channel } of reached) unreached.delete(reachKey(userUid, channel))
  return unreached
}
