import { NIL_UUID } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import { AppError } from '../../platform/runtime/app-error.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { networkOf } from '../../platform/http/address.ts'
import { isKnownNetwork } from './known-networks.ts'
import { secondsUntil, waitMessage } from './rules.ts'

/** A key with a number of free attempts. Each further attempt doubles the wait, up to 15 minutes. */
export interface AttemptLimit {
  key: string
  free: number
}

// Counting and refusing are one statement: simultaneous attempts wait for the row and are counted one by one.
const COUNT_ATTEMPT = prepared(`
  insert into throttle as t (key, failures, blocked_until, last_at)
  values ($1, 1, clock_timestamp(), clock_timestamp())
  on conflict (key) do update set
    failures = case when t.last_at < now() - interval '1 day' then 1 else t.failures + 1 end,
    blocked_until = clock_timestamp() + case
      when t.last_at < now() - interval '1 day' or t.failures < $2 then interval '0'
      else least(power(2, least(t.failures - $2, 20)), 900) * interval '1 second' end,
    last_at = clock_timestamp()
  where t.blocked_until <= clock_timestamp()
  returning key`)

/** Counts an attempt against each limit; refuses it while one of them is blocked. */
export async function countAgainst(db: Db, limits: AttemptLimit[]): Promise<void> {
  for (const { key, free } of limits) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(COUNT_ATTEMPT, [key, free]))
    if (rows.length === 0) throw await refusal(db, key)
  }
}

async function refusal(db: Db, key: string): Promise<AppError> {
  const limit = await db.selectFrom('throttle').select('blocked_until').where('key', '=', key).executeTakeFirst()
  // A success at the same moment may have removed the row.
  const seconds = secondsUntil(limit ? Date.parse(limit.blocked_until) : 0, await sharedNow(db))
  return new AppError('tooMany', { text: waitMessage(seconds), retryAfter: seconds })
}

/** What is tried, at which account or device, and from where. */
export interface AttemptTarget {
  what: 'login' | 'reset' | 'pairing' | 'code' | 'recoveryCode' | 'invitation' | 'popPage'
  /** The account's email address or uid, the device's MAC address or the page's uid, whether it exists or not. */
  subject: string
  /** The user or device behind it, if there is one. */
  ownerUid: string | undefined
  address: string
}

interface AttemptLimits {
  /** Of one network, whatever it tries. */
  network: AttemptLimit
  /** Of one network at one subject: strict. */
  pair: AttemptLimit
  /** Of all networks at one subject: looser, and only for networks that the subject does not know. */
  subject: AttemptLimit | undefined
}

/** Free attempts before the waits begin. */
const freeAttempts: Record<AttemptTarget['what'], Record<keyof AttemptLimits, number>> = {
  login: { network: 30, pair: 5, subject: 20 },
  reset: { network: 10, pair: 3, subject: 5 },
  pairing: { network: 30, pair: 5, subject: 20 },
  code: { network: 30, pair: 5, subject: 10 },
  recoveryCode: { network: 30, pair: 5, subject: 10 },
  // An office may invite all its drivers again, each a few times.
  invitation: { network: 100, pair: 3, subject: 5 },
  // A whole agency reads a page, each with the same password.
  popPage: { network: 30, pair: 8, subject: 60 },
}

/** The key under which the failures of all networks at a subject are counted. */
const subjectKey = ({ what, subject }: Pick<AttemptTarget, 'what' | 'subject'>) => `${what} subject:${subject}`

/**
 * The limits of an attempt. Strangers share the limit of their subject; a network from which its owner signed in before has
 * one of its own, so that strangers cannot lock the owner out.
 */
export async function attemptLimits(db: Db, target: AttemptTarget): Promise<AttemptLimits> {
  const { what, subject, ownerUid = NIL_UUID, address } = target
  const network = networkOf(address)
  const free = freeAttempts[what]
  const isKnown = await isKnownNetwork(db, ownerUid, network)
  return {
    network: { key: `${what} network:${network}`, free: free.network },
    pair: { key: `${what} pair:${network} ${subject}`, free: free.pair },
    subject: isKnown ? undefined : { key: subjectKey(target), free: free.subject },
  }
}

/**
 * Counts an attempt and answers its limits, for its success. A network that must wait does not count against the subject, and
 * one subject not against others.
 */
export async function countAttempt(db: Db, target: AttemptTarget): Promise<AttemptLimits> {
  const limits = await attemptLimits(db, target)
  const { network, pair, subject } = limits
  await countAgainst(db, [network, pair, ...(subject ? [subject] : [])])
  return limits
}

/**
 * Counts one act of a network at many subjects: once against the network, and against each subject. Answers the subjects
 * that must wait. Needs a transaction, and subjects in the same order in every one.
 */
export async function countBulkAttempt(
  db: Db,
  by: Pick<AttemptTarget, 'what' | 'address'>,
  targets: readonly Pick<AttemptTarget, 'subject' | 'ownerUid'>[],
): Promise<Set<string>> {
  const waiting = new Set<string>()
  for (const [index, target] of targets.entries()) {
    const { network, pair, subject } = await attemptLimits(db, { ...by, ...target })
    if (index === 0) await countAgainst(db, [network])
    try {
      await countAgainst(db, [pair, ...(subject ? [subject] : [])])
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      waiting.add(target.subject)
    }
  }
  return waiting
}

/**
 * Takes back a successful attempt, and clears the failures of its network at this subject. Those of other networks stay: the
 * owner's success gives strangers no new attempts.
 */
export async function recordSuccess(db: Db, { network, pair, subject }: AttemptLimits): Promise<void> {
  await db.deleteFrom('throttle').where('key', '=', pair.key).execute()
  await db
    .updateTable('throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key', 'in', [network.key, ...(subject ? [subject.key] : [])])
    .where('failures', '>', 0)
    .execute()
}

/** Forgets the failures at a subject whose secret is new. */
export const forgetFailures = (db: Db, target: Pick<AttemptTarget, 'what' | 'subject'>) =>
  db.deleteFrom('throttle').where('key', '=', subjectKey(target)).execute()
