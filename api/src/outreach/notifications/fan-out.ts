import {
  type DriverNotificationKind,
  type Language,
  mayReceive,
  notificationKindOf,
  type Role,
  type StaffNotificationKind,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { enqueuePush } from '../push/index.ts'
import { type AlertStage, gatheredAt } from './alert-group-rules.ts'
import { joinGroup, openGroups, reachKey } from './alert-groups.ts'
import { noticeMail, type NoticeWords } from './mails.ts'
import { noticePush } from './pushes.ts'
import { loadReaders, mayReadProgram, type Reader } from './rights.ts'
import { sendTime } from './rules.ts'
import { loadChoices, loadHours, type ReachableHours } from './settings.ts'
import type { NoticeText } from './words.ts'

interface NoticeFacts extends NoticeText {
  /** The address that opens the thing itself. */
  path: string
  /** Names the cause: each person is notified of it once. */
  key: string
  /** What it is about, such as `issue <uid>`. */
  object: string
  programUid?: string | null | undefined
  shiftUid?: string | null | undefined
  /** Alerts of one kind and stage that come at about the same time are one message. Its key begins with `stageKey`. */
  stage?: AlertStage | undefined
}

/** Something that staff and clients are notified of, in English. */
export interface StaffNotice extends NoticeFacts {
  kind: StaffNotificationKind
  spanish?: undefined
}

/** Something that drivers are notified of, in the language that each of them reads. */
export interface DriverNotice extends NoticeFacts {
  kind: DriverNotificationKind
  spanish: NoticeText
}

export type Notice = StaffNotice | DriverNotice

/** A notice as one person reads it. */
const wordsFor = ({ kind, path, subject, text, spanish }: Notice, language: Language): NoticeWords =>
  language === 'es' && spanish ? { kind, path, language, ...spanish } : { kind, path, language: 'en', subject, text }

interface Audience {
  /** Only these, as far as their role and modules allow. Without it everyone who may get the kind. */
  only?: readonly string[] | undefined
  /** Never these. */
  except?: readonly string[]
  /** Of these roles only. */
  roles?: readonly Role[]
  /** These are notified in the console only (`reachKey`): the message that came before has not reached them. */
  unreached?: ReadonlySet<string>
}

/** The users who may get a notice now: role, modules, and for a client's users their own programs. */
async function peopleFor(db: Db, { kind, programUid }: Notice, audience: Audience): Promise<Reader[]> {
  const { only, except = [], roles = notificationKindOf(kind).roles } = audience
  const isAmong = sql`${only ? sql`u.uid = any(${only})` : sql`true`} and u.uid <> all(${except}) and u.role = any(${roles})`
  const people = await loadReaders(db, sql`${isAmong} and ${mayReadProgram(sql`${programUid ?? null}::uuid`)}`)
  return people.filter((person) => mayReceive(person, kind))
}

interface Addressee extends Reader {
  hours: ReachableHours
  wants: { mail: boolean; push: boolean }
}

async function addresseesOf(db: Db, kind: Notice['kind'], people: readonly Reader[]): Promise<Addressee[]> {
  const hours = await loadHours(db, people)
  const isOn = await loadChoices(db, people)
  return people.flatMap((person) => {
    const own = hours.get(person.uid)
    const wants = { mail: isOn(person, kind, 'mail'), push: isOn(person, kind, 'push') }
    return own ? [{ ...person, hours: own, wants }] : []
  })
}

const isForDigest = (kind: Notice['kind'], { hours, wants }: Addressee) =>
  wants.mail && !notificationKindOf(kind).isUrgent && hours.digestAt !== null

/** Adds the notification of each person who has none of this cause yet; answers the new ones by person. */
async function addNotifications(db: Db, notice: Notice, people: readonly Addressee[]): Promise<Map<string, string>> {
  if (people.length === 0) return new Map()
  const { kind, key, path, object, programUid = null, shiftUid = null } = notice
  const { rows } = await sql<{ uid: string; userUid: string }>`
    insert into notification (user_uid, kind, key, subject, text, path, object, program_uid, shift_uid, is_for_digest)
    select p.user_uid, n.kind, n.key, p.subject, p.text, n.path, n.object, n.program_uid, n.shift_uid, p.is_for_digest
      from ${rowsAsTable('p', people, {
        user_uid: ['uuid', ({ uid }) => uid],
        is_for_digest: ['bool', (person) => isForDigest(kind, person)],
        subject: ['text', ({ language }) => wordsFor(notice, language).subject],
        text: ['text', ({ language }) => wordsFor(notice, language).text],
      })}
     cross join ${rowsAsTable('n', [notice], {
       kind: ['text', () => kind],
       key: ['text', () => key],
       path: ['text', () => path],
       object: ['text', () => object],
       program_uid: ['uuid', () => programUid],
       shift_uid: ['uuid', () => shiftUid],
     })}
    on conflict (user_uid, key) do nothing returning uid, user_uid as "userUid"`.execute(db)
  return new Map(rows.map(({ uid, userUid }) => [userUid, uid]))
}

/** Everyone who got a notification of an object whose key is like a pattern. */
export async function notifiedOf(db: Db, object: string, keyLike: string): Promise<string[]> {
  const rows = await db
    .selectFrom('notification')
    .select('user_uid as userUid')
    .distinct()
    .where('object', '=', object)
    .where('key', 'like', keyLike)
    .execute()
  return rows.map(({ userUid }) => userUid)
}

/** Remembers which message was made of which notifications, to check their rights again when it is sent. */
export async function linkMessages(
  db: Db,
  messages: readonly string[],
  notifications: readonly string[],
): Promise<void> {
  const links = messages.flatMap((message_uid) =>
    notifications.map((notification_uid) => ({ message_uid, notification_uid })),
  )
  if (links.length > 0) await db.insertInto('notification_message').values(links).execute()
}

export type FanOutContext = Pick<AppContext, 'env'>

interface Outgoing {
  notice: Notice
  person: Addressee
  notificationUid: string
  notBefore: Date | undefined
}

async function enqueueMessages(db: Db, env: FanOutContext['env'], outgoing: Outgoing): Promise<string[]> {
  const { notice, person, notificationUid, notBefore } = outgoing
  const { kind, stage, object } = notice
  const userUid = person.uid
  const words = wordsFor(notice, person.language)
  const groups = stage ? await openGroups(db, { userUid, kind, stage }) : []
  const wanted = groups.filter(({ channel }) => person.wants[channel])
  for (const group of wanted) await joinGroup(db, env, { group, notificationUid, reader: person })
  const delay = notBefore && { notBefore }
  const messages: string[] = []
  if (person.wants.mail && !isForDigest(kind, person) && !wanted.some(({ channel }) => channel === 'mail')) {
    const options = {
      userUid,
      key: `${notificationUid} mail`,
      // The end of an alert never overtakes its beginning, whichever groups they are in.
      ordering: stage ? `${kind} ${userUid}` : `${object} ${userUid}`,
      ...delay,
    }
    const uid = await enqueueMail(db, noticeMail(env, person, words), options)
    if (uid) messages.push(uid)
  }
  if (person.wants.push) {
    const exceptBrowsers = wanted.flatMap(({ target }) => target ?? [])
    const push = noticePush(words, object)
    const key = `${notificationUid} push`
    messages.push(...(await enqueuePush(db, { kind, userUid, push, exceptBrowsers, key, ...delay })))
  }
  return messages
}

/**
 * Tells people: each gets one notification in the bell, and the messages they subscribed to, after their quiet hours.
 * Answers who got a new notification. Needs a transaction.
 */
export async function notify(
  db: Db,
  { env }: FanOutContext,
  notice: Notice,
  audience: Audience = {},
): Promise<string[]> {
  const people = await addresseesOf(db, notice.kind, await peopleFor(db, notice, audience))
  const added = await addNotifications(db, notice, people)
  const now = await sharedNow(db)
  const { isUrgent } = notificationKindOf(notice.kind)
  const { unreached = new Set() } = audience
  for (const person of people) {
    const notificationUid = added.get(person.uid)
    if (!notificationUid) continue
    const wants = {
      mail: person.wants.mail && !unreached.has(reachKey(person.uid, 'mail')),
      push: person.wants.push && !unreached.has(reachKey(person.uid, 'push')),
    }
    const sendAt = sendTime(now, person.hours, isUrgent)
    const at = notice.stage ? gatheredAt(now, sendAt) : sendAt
    const outgoing = {
      notice,
      person: { ...person, wants },
      notificationUid,
      notBefore: at > now ? new Date(at) : undefined,
    }
    await linkMessages(db, await enqueueMessages(db, env, outgoing), [notificationUid])
  }
  return [...added.keys()]
}
