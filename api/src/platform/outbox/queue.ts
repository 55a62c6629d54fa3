import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/connection.ts'
import { rowsAsTable } from '../db/rows-as-table.ts'
import { storableText } from '../db/storable-text.ts'
import type { Channel, ChannelName, OutgoingMessage } from './channel.ts'
import { openPayload } from './enqueue.ts'
import { type Attempt, type Ended, LOGGED_ATTEMPTS, LONGEST_ANSWER, stepAfter } from './rules.ts'

interface TakenRow extends Omit<OutgoingMessage, 'payload'> {
  payload: Buffer
  expiresInMs: number
  /** The database's time when it was taken on. */
  takenAt: string
}

/** What a node has taken on to send. The payload is undefined if another key sealed it. */
export type Taken = Omit<TakenRow, 'payload'> & { payload: unknown }

const isDue = sql`
  m.state = 'waiting' and m.next_at <= now() and (m.leased_until is null or m.leased_until < now())
  and (m.ordering is null or not exists (
    select from message earlier
     where earlier.ordering = m.ordering and earlier.place < m.place and earlier.state = 'waiting'))`

/** Due messages of a channel, the longest due first. */
const dueOf = (channel: ChannelName, limit: number) => sql`
  select m.uid from message m where m.channel = ${channel} and ${isDue}
   order by m.next_at limit ${limit} for update skip locked`

/** The same with a few for each target, so that one that hangs does not hold up the others. */
const dueByTarget = (
  channel: ChannelName,
  limit: number,
  { perTarget, busy }: { perTarget: number; busy: string[] },
) => sql`
  select m.uid
    from (select distinct target from message
           where channel = ${channel} and state = 'waiting' and next_at <= now() and target <> all(${busy}::uuid[])) t
   cross join lateral (
     select m.uid from message m where m.channel = ${channel} and m.target = t.target and ${isDue}
      order by m.next_at limit ${perTarget} for update skip locked) m
   limit ${limit}`

interface Room {
  /** How many more messages this node sends at the moment. */
  free: number
  /** Targets that already get as many as they may at a time. */
  busy: string[]
}

/** Takes messages on. Until the lease ends no other node does. */
export async function takeDue(db: Db, channel: Channel, { free, busy }: Room): Promise<Taken[]> {
  const { name, perTarget, longestMs } = channel
  const due: RawBuilder<unknown> = perTarget ? dueByTarget(name, free, { perTarget, busy }) : dueOf(name, free)
  // Longer than any attempt takes: a lease that ends meanwhile would send a message twice.
  const lease = sql`make_interval(secs => ${(2 * longestMs) / 1000 + 30})`
  const { rows } = await sql<TakenRow>`
    with due as materialized (${due})
    update message m set attempts = m.attempts + 1, leased_until = now() + ${lease}
      from due where m.uid = due.uid
    returning m.uid, m.channel, m.kind, m.recipient, m.user_uid as "userUid", m.target, m.created_at as "createdAt", m.attempts, m.payload,
              (extract(epoch from m.expires_at - now()) * 1000)::float8 as "expiresInMs", now() as "takenAt"`.execute(
    db,
  )
  return rows.map((row) => ({ ...row, payload: openPayload(row.payload, row.uid) }))
}

/** How an attempt at a taken message ended. */
export interface Finished extends Ended {
  message: Taken
  ms: number
}

const stepOf = ({ message: { attempts, expiresInMs }, ...ended }: Finished) =>
  stepAfter(ended, { attempts, spread: Math.random(), expiresInMs })

const attemptOf = ({ message, ms, outcome, answer, reply }: Finished): Attempt => ({
  at: message.takenAt,
  ms: Math.round(ms),
  outcome,
  answer,
  ...(reply && { reply }),
})

/** An attempt with the texts of the recipient as they can be stored. */
const withStorableTexts = ({ answer, reply, ...rest }: Finished): Finished => ({
  ...rest,
  answer: storableText(answer, LONGEST_ANSWER),
  reply: reply && { status: reply.status, body: storableText(reply.body, LONGEST_ANSWER) },
})

/** Notes how attempts ended. One whose lease had ended and that another node tried meanwhile is the other node's. */
export async function noteFinished(db: Db, finished: readonly Finished[]): Promise<void> {
  const rows = finished.map(withStorableTexts).map((each) => ({ each, step: stepOf(each), attempt: attemptOf(each) }))
  await sql`
    update message m
       set state = f.state, leased_until = null, next_at = now() + make_interval(secs => f.wait_s),
           done_at = case when f.state <> 'waiting' then now() end,
           problem = coalesce(f.problem, m.problem),
           payload = case when f.state = 'sent' and m.is_secret then null else m.payload end,
           log = case when jsonb_array_length(m.log) < ${LOGGED_ATTEMPTS} then m.log else m.log - 0 end || f.attempt::jsonb
      from ${rowsAsTable('f', rows, {
        uid: ['uuid', ({ each }) => each.message.uid],
        attempts: ['int4', ({ each }) => each.message.attempts],
        state: ['text', ({ step }) => step.state],
        wait_s: ['float8', ({ step }) => step.waitMs / 1000],
        problem: ['text', ({ step }) => step.problem],
        attempt: ['text', ({ attempt }) => JSON.stringify(attempt)],
      })}
     where m.uid = f.uid and m.attempts = f.attempts and m.state = 'waiting'`.execute(db)
}

/** Ends messages that expired before they could be sent. */
export const buryExpired = (db: Db, channel: ChannelName) =>
  db
    .updateTable('message')
    .set(({ fn }) => ({
      state: 'dead',
      done_at: sql`now()`,
      problem: fn.coalesce('problem', sql.lit('It could not be sent before it expired.')),
    }))
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .where('expires_at', '<', sql<string>`now()`)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', sql<string>`now()`)]))
    .execute()

/** Says on waiting messages why they are not tried at the moment. */
export const noteAway = (db: Db, channel: ChannelName, problem: string) =>
  db
    .updateTable('message')
    .set({ problem })
    .where('channel', '=', channel)
    .where('state', '=', 'waiting')
    .where('next_at', '<=', sql<string>`now()`)
    .where('problem', 'is distinct from', problem)
    .execute()
