import { isForDrivers, type NotificationKind } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { type FanOutContext, linkMessages } from './fan-out.ts'
import { digestMail, type NoticeWords } from './mails.ts'
import { allowedKinds, loadReaders, mayReadProgram, type Reader } from './rights.ts'
import { latestDigest, sendTime } from './rules.ts'
import { loadChoices, loadHours, type ReachableHours } from './settings.ts'

interface WaitingNotice extends NoticeWords {
  uid: string
}

/** A mail lists at most this many; the console shows the rest. */
const LONGEST_DIGEST = 50

const HAS_WAITING = sql<boolean>`exists (
  select from notification n where n.user_uid = u.uid and n.is_for_digest and n.read_at is null)`

/** Takes what waits for a reader's digest; none of it comes into another one. */
async function takeWaiting(db: Db, reader: Reader, before: number): Promise<WaitingNotice[]> {
  const rows = await db
    .with('taken', (db) =>
      db
        .updateTable('notification')
        .set({ is_for_digest: false })
        .where('user_uid', '=', reader.uid)
        .where((eb) => eb.ref('is_for_digest'))
        .where('read_at', 'is', null)
        .where('at', '<', new Date(before).toISOString())
        .returning(['uid', 'kind', 'subject', 'text', 'path', 'at', 'program_uid']),
    )
    .selectFrom('taken as n')
    .select(['n.uid', 'n.kind', 'n.subject', 'n.text', 'n.path'])
    .select(mayReadProgram(sql`n.program_uid`, reader).as('mayReadProgram'))
    .$narrowType<{ kind: NotificationKind }>()
    .orderBy('n.at')
    .orderBy('n.uid')
    .execute()
  const isOn = await loadChoices(db, [reader])
  const allowed = allowedKinds(reader)
  return rows
    .filter((row) => row.mayReadProgram && allowed.includes(row.kind) && isOn(reader, row.kind, 'mail'))
    .map((row) => ({ ...row, language: isForDrivers(row.kind) ? reader.language : 'en' }))
}

async function sendDigest(db: Db, env: FanOutContext['env'], reader: Reader, hours: ReachableHours, now: number) {
  // Without a digest, what waited for the last one is sent now.
  const before = hours.digestAt === null ? now : latestDigest(now, { zone: hours.zone, digestAt: hours.digestAt })
  const notices = await takeWaiting(db, reader, before)
  if (notices.length === 0) return
  const at = sendTime(now, hours, false)
  const uid = await enqueueMail(db, digestMail(env, reader, notices.slice(0, LONGEST_DIGEST)), {
    userUid: reader.uid,
    ...(at > now && { notBefore: new Date(at) }),
  })
  if (uid)
    await linkMessages(
      db,
      [uid],
      notices.map(({ uid }) => uid),
    )
}

/** Sends the digests that are due: to each reader one mail of what is unread and could wait. */
export async function sendDigests(db: Db, { env }: FanOutContext, now: number): Promise<void> {
  const readers = await loadReaders(db, HAS_WAITING)
  const hours = await loadHours(db, readers)
  for (const reader of readers) {
    const own = hours.get(reader.uid)
    if (own) await inTransaction(db, (db) => sendDigest(db, env, reader, own, now))
  }
}

export const sendDigestsJob = defineJob('send-digests', ({ db, env, now }) => sendDigests(db, { env }, now))
