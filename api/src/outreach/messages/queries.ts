import {
  type messages,
  type MessageAttempt,
  messageChannelLabel,
  messageStateLabel,
  type MessageChannel,
  type MessageState,
  type OutgoingMessageEntry,
  type QueryOf,
  type ReplyOf,
  testMessageKinds,
} from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { logList } from '../../platform/db/records/log-list.ts'
import { namedRefOf } from '../../platform/db/records/named-ref.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { openPayload } from '../../platform/outbox/index.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'

type Query = QueryOf<typeof messages.list>

/** Tried in vain or held up by its channel, or due for a while without any node sending it. */
const isLate = sql<boolean>`(m.state = 'waiting' and (m.problem is not null or m.next_at < now() - interval '1 minute'))`

/** What did not reach the person or system it was meant for. A test that failed has told so at once. */
const isUndelivered = sql<boolean>`(m.state = 'dead' and m.kind <> all(${[...testMessageKinds]}::text[]))`

// Literals, so that the partial indexes are used.
const inState: Record<MessageState, RawBuilder<boolean>> = {
  waiting: sql`(m.state = 'waiting' and not ${isLate})`,
  late: isLate,
  sent: sql`m.state = 'sent'`,
  dead: isUndelivered,
  cancelled: sql`m.state = 'cancelled'`,
}

function rows(db: Db, { state, channel, kind }: Pick<Query, 'state' | 'channel' | 'kind'>) {
  let query = db
    .selectFrom('message as m')
    .leftJoin('user_account as u', 'u.uid', 'm.user_uid')
    .select(['m.uid', 'm.created_at as at', 'm.kind', 'm.channel', 'm.recipient', 'm.subject', 'm.attempts'])
    .select(['m.next_at', 'm.done_at', 'm.problem', 'u.uid as user_uid', 'u.name as user_name'])
    .select(sql<MessageState>`case when ${isLate} then 'late' else m.state end`.as('state'))
  if (state) query = query.where((match) => match.or(state.map((each) => inState[each])))
  if (channel) query = query.where('m.channel', 'in', channel)
  if (kind) query = query.where('m.kind', 'in', kind)
  return query
}

type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]

const entryOf = (row: Row): OutgoingMessageEntry => ({
  uid: row.uid,
  at: row.at,
  kind: row.kind,
  channel: row.channel as MessageChannel,
  recipient: row.recipient,
  user: namedRefOf(row.user_uid, row.user_name),
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.done_at ? null : row.next_at,
  doneAt: row.done_at,
  problem: row.problem ?? '',
})

export const messageEntries = logList({
  rows: (db, query: Query) => rows(db, query),
  searched: sql<string>`concat_ws(' ', m.recipient, m.subject, u.name)`,
  entryOf,
})

export const messageSheet = {
  name: 'messages',
  columns: {
    At: timeColumn((entry: OutgoingMessageEntry) => entry.at),
    State: (entry: OutgoingMessageEntry) => messageStateLabel[entry.state],
    Channel: (entry: OutgoingMessageEntry) => messageChannelLabel[entry.channel],
    To: (entry: OutgoingMessageEntry) => entry.recipient,
    User: (entry: OutgoingMessageEntry) => entry.user?.name ?? '',
    Subject: (entry: OutgoingMessageEntry) => entry.subject,
    Attempts: (entry: OutgoingMessageEntry) => entry.attempts,
    Done: timeColumn((entry: OutgoingMessageEntry) => entry.doneAt),
    Reason: (entry: OutgoingMessageEntry) => entry.problem,
  },
  filters: async (_db: Db, _scope: unknown, { state, channel, kind }: Query) => [
    ...(state ? [`state: ${state.map((each) => messageStateLabel[each]).join(', ')}`] : []),
    ...(channel ? [`channel: ${channel.map((each) => messageChannelLabel[each]).join(', ')}`] : []),
    ...(kind ? [`kind: ${kind.join(', ')}`] : []),
  ],
}

export async function messageCounts(db: Db): Promise<ReplyOf<typeof messages.counts>['data']> {
  const { rows: counted } = await sql<{ waiting: number; late: number; dead: number }>`
    select (select count(*)::int from message where state = 'waiting') as waiting,
           (select count(*)::int from message m where ${isLate}) as late,
           (select count(*)::int from message m where ${isUndelivered}) as dead`.execute(db)
  return counted[0] ?? { waiting: 0, late: 0, dead: 0 }
}

/** The mail as it was sent; null if it opens an account, is no mail, or another key sealed it. */
function mailOf({ uid, channel }: Row, payload: Buffer | null, isSecret: boolean) {
  const mail = channel === 'mail' && !isSecret && payload ? (openPayload(payload, uid) as Mail | undefined) : undefined
  return mail ? { text: mail.text, html: mail.html ?? '' } : null
}

export async function getMessageEntry(db: Db, uid: string): Promise<OutgoingMessageEntry> {
  const row = await rows(db, {}).where('m.uid', '=', uid).executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return entryOf(row)
}

export async function getMessage(db: Db, uid: string): Promise<ReplyOf<typeof messages.get>['data']> {
  const row = await rows(db, {})
    .select(['m.log', 'm.payload', 'm.is_secret'])
    .where('m.uid', '=', uid)
    .executeTakeFirst()
  if (!row) throw new AppError('notFound')
  return {
    ...entryOf(row),
    log: (row.log as unknown as MessageAttempt[]).map(({ at, ms, outcome, answer }) => ({ at, ms, outcome, answer })),
    isSecret: row.is_secret,
    mail: mailOf(row, row.payload, row.is_secret),
  }
}
