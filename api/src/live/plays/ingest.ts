import { type BatchAck, play } from '@roadshow/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { NOW_MS } from '../../platform/db/clock.ts'
import { type Db, isRepeated, prepared } from '../../platform/db/connection.ts'
import { withPartitions } from '../../platform/db/partitions.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { storableText } from '../../platform/db/storable-text.ts'
import { playsStored } from './metrics.ts'
import { playsKeptSince, readSettings } from '../../catalog/settings/index.ts'
import { DeviceBatch, type SentRow, timeProblem } from '../device-batches/index.ts'
import { type EvidenceChange, noteEvidence } from '../evidence/index.ts'
import { playsNearArchive } from './archive/needed-days.ts'
import { mayBeArchived } from './archive/rules.ts'
import { evidenceFor, type IdentifiedClaim, LONGEST_PLAY } from './facts.ts'
import { gradePlay } from './grade.ts'
import { type HomeZone, selectHomeZone } from './home-zone.ts'
import { longestShowingMs } from './overlaps.ts'
import { multirangeOf } from './sequences.ts'
import { type GradedPlay, type ParsedPlay, type Player, storeBatch } from './store.ts'
import { accountRefused, countDisplaced, type ListedRow, type RefusedNumbers, type RefusedRow } from './used-numbers.ts'

interface StoredBatch {
  answer: BatchAck
  /** When the newest of the new plays began. */
  playedAt: number | undefined
}

type SentPlay = SentRow<ParsedPlay>

/** Stores a batch of plays and answers each row; every row that is accepted or a duplicate is on disk by then. */
export async function storePlays(db: Db, player: Player, sent: unknown, at?: number): Promise<StoredBatch> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Nearly all ids are new: looking for them costs more than to fail once when one is not. A statement that fails
      // within a transaction ends it.
      return await storeOnce(db, player, sent, { at, looksForIds: attempt > 1 || db.isTransaction })
    } catch (error) {
      // A node that lost the player's connection may still store its last batch.
      if (attempt === ATTEMPTS || db.isTransaction || !(isRepeated(error) || isOvertaken(error))) throw error
    }
  }
}

// Each time, another batch of the player was stored.
const ATTEMPTS = 100
const isOvertaken = (error: unknown) => (error as { code?: unknown }).code === '40001'

interface Attempt {
  at: number | undefined
  looksForIds: boolean
}

async function storeOnce(db: Db, player: Player, sent: unknown, { at, looksForIds }: Attempt): Promise<StoredBatch> {
  const batch = new DeviceBatch<ParsedPlay>(sent, play, 'playId')
  const facts = await readFacts(db, player, batch, looksForIds)
  const now = at ?? facts.now
  const settings = await readSettings(db)
  const oldest = playsKeptSince(settings, now)
  const good = batch.setAside(
    ({ startedAt, artworkSetUid }) =>
      timeProblem(startedAt, oldest, now) ??
      (facts.sets[artworkSetUid] ? undefined : { result: 'rejected', reason: 'Artwork set not found.' }),
  )
  const fresh = answerKnown(batch, good, facts)
  const plays = await gradeRows(db, {
    player,
    facts,
    rows: fresh.map(({ row }) => row),
    outsideByM: settings.outsideMarketByMetres,
  })
  const refused = await accountNumbers(db, player, { facts, plays, rows: refusedRows(batch, now) })
  if (plays.length + refused.rows.length > 0) {
    const days = new Set(plays.map(({ row }) => row.startedAt.slice(0, 10)))
    const { batches, home } = facts
    await withPartitions(db, 'play', days, () => storeBatch(db, { player, home, plays, refused, batches }))
  }
  playsStored.inc(plays.length)
  for (const each of fresh) batch.answer(each, 'accepted')
  const times = plays.map(({ row }) => Date.parse(row.startedAt))
  return { answer: batch.acks, playedAt: times.length > 0 ? Math.max(...times) : undefined }
}

/** Answers rows that are stored already or whose number is taken, and returns the others, each id and number once. */
function answerKnown(batch: DeviceBatch<ParsedPlay>, rows: readonly SentPlay[], facts: BatchFacts): SentPlay[] {
  const ids = new Set(facts.knownIds)
  const numbers = new Set(facts.usedNumbers)
  return rows.filter((sent) => {
    const { playId, sequence } = sent.row
    const isKnown = ids.has(playId)
    const isTaken = numbers.has(sequence) && sequence >= facts.forgottenUntil
    if (isKnown) batch.answer(sent, 'duplicate')
    else if (isTaken) batch.answer(sent, 'rejected', 'Another play has this sequence number.')
    else {
      ids.add(playId)
      numbers.add(sequence)
    }
    return !isKnown && !isTaken
  })
}

/** As much of a row as can be read even if the rest cannot. */
const numberedRow = z.object({
  sequence: play.shape.sequence,
  startedAt: play.shape.startedAt.optional().catch(undefined),
})

// A rejected row from before counts on the day when it arrived.
const OLDEST_SENSIBLE = '2020'

// Ids of plays are shorter; another one is listed by its beginning.
const LISTED_ID = 64
const DUPLICATE = 'This play is stored under another number.'

/** The rows that are not stored although they will not come again, as far as their number can be read. */
function refusedRows(batch: DeviceBatch<ParsedPlay>, now: number): RefusedRow[] {
  return batch.refusedRows.flatMap(({ raw, id, reason, isDuplicate }) => {
    const { data: numbered } = numberedRow.safeParse(raw)
    if (!numbered) return []
    const { sequence, startedAt = '' } = numbered
    const isSensible = startedAt > OLDEST_SENSIBLE && Date.parse(startedAt) <= now
    return {
      sequence,
      startedAt: isSensible ? startedAt : new Date(now).toISOString(),
      playId: storableText(id, LISTED_ID),
      reason: isDuplicate ? DUPLICATE : reason,
      isDuplicate,
    }
  })
}

interface RowsToAccount {
  facts: BatchFacts
  plays: readonly GradedPlay[]
  rows: readonly RefusedRow[]
}

/** How a batch changes the account of its player. Rows that were refused before matter only where numbers meet them. */
async function accountNumbers(db: Db, player: Player, { facts, plays, rows }: RowsToAccount): Promise<RefusedNumbers> {
  const { usedNumbers, rejectedNumbers, duplicateNumbers } = facts
  const refusedBefore = new Set([...rejectedNumbers, ...duplicateNumbers])
  const stored = plays.map(({ row }) => row)
  const meeting = [
    ...stored.filter(({ sequence }) => refusedBefore.has(sequence)),
    ...rows.filter(({ isDuplicate }) => !isDuplicate),
  ]
  const listed = meeting.length > 0 ? await readListed(db, player, meeting) : []
  const known = {
    stored: [...usedNumbers, ...stored.map(({ sequence }) => sequence)],
    rejected: rejectedNumbers,
    duplicates: duplicateNumbers,
  }
  const account = accountRefused(rows, known, listed)
  return { ...account, reused: account.reused + countDisplaced(stored, listed) }
}

const readListed = (db: Db, { uid }: Player, rows: readonly { sequence: number }[]): Promise<ListedRow[]> =>
  db
    .selectFrom('play_rejection')
    .select(['sequence', 'play_id as playId', 'is_duplicate as isDuplicate'])
    .where('device_uid', '=', uid)
    .where('sequence', '=', sql<number>`any(${plainArray(rows.map(({ sequence }) => sequence))}::int8[])`)
    .execute()

interface RowsToGrade {
  player: Player
  rows: readonly ParsedPlay[]
  facts: BatchFacts
  outsideByM: number
}

async function gradeRows(db: Db, { player, rows, facts, outsideByM }: RowsToGrade): Promise<GradedPlay[]> {
  const claims = rows.map((row) => claimOf(player, row, facts))
  const evidence = await evidenceFor(db, player.truckUid, claims, { outsideByM, longestMs: facts.longestMs })
  // Noted before the plays are stored: a note too many does no harm.
  const { truckUid } = player
  await noteEvidence(db, [
    ...evidence.newlyInDoubt.map(({ at }) => ({ truckUid, from: at, to: at })),
    ...(await stretchesNearArchive(db, truckUid, claims, facts)),
  ])
  return rows.map((row, index) => {
    const claim = claims[index] as IdentifiedClaim
    return { row, programUid: claim.programUid, ...gradePlay(claim, evidence) }
  })
}

/** Archived plays are not read here. Where a late play may overlap some, grading again brings them back. */
async function stretchesNearArchive(
  db: Db,
  truckUid: string,
  claims: readonly IdentifiedClaim[],
  { now, longestMs }: BatchFacts,
): Promise<EvidenceChange[]> {
  const late = claims.filter(({ at }) => mayBeArchived(at - longestMs, now))
  const near = late.length > 0 ? await playsNearArchive(db, late, longestMs) : []
  return near.map(({ at, durationMs }) => ({ truckUid, from: at - longestMs, to: at + durationMs }))
}

function claimOf(player: Player, row: ParsedPlay, { sets }: BatchFacts): IdentifiedClaim {
  const { program, files } = sets[row.artworkSetUid] as ArtworkFacts
  const longestMs = files?.[row.sha256]
  return {
    key: `${player.uid} ${row.playId}`,
    at: Date.parse(row.startedAt),
    side: row.side,
    durationMs: row.durationMs,
    place: row.place,
    programUid: program,
    isFileOfSet: longestMs !== undefined,
    longestMs: longestShowingMs(longestMs),
  }
}

interface ArtworkFacts {
  program: string
  /** For how long each file may be shown at once, by its hash. */
  files: Readonly<Record<string, number>> | null
}

interface BatchFacts {
  now: number
  /** By the uid of the artwork set. */
  sets: Readonly<Record<string, ArtworkFacts>>
  home: HomeZone
  longestMs: number
  batches: number
  /** Below this number, gaps were forgotten: a number that counts as used may be a missing one. */
  forgottenUntil: number
  /** Numbers of this batch that are stored already, that have a rejected row, and that have a duplicate. */
  usedNumbers: readonly number[]
  rejectedNumbers: readonly number[]
  duplicateNumbers: readonly number[]
  /** Ids of this batch that are stored already. */
  knownIds: readonly string[]
}

/** Known ids are looked for if asked, and where numbers are used already. */
async function readFacts(
  db: Db,
  { uid, truckUid }: Player,
  batch: DeviceBatch<ParsedPlay>,
  looksForIds: boolean,
): Promise<BatchFacts> {
  const { rows } = batch
  const sets = plainArray([...new Set(rows.map(({ row }) => row.artworkSetUid))])
  const numbers = plainArray([
    ...rows.map(({ row }) => row.sequence),
    ...refusedRows(batch, 0).map(({ sequence }) => sequence),
  ])
  const ids = rows.map(({ row }) => row.playId)
  const range = multirangeOf(rows.map(({ row }) => row.sequence))
  const { rows: found } = await prepared(sql<BatchFacts>`
    select ${sql.raw(NOW_MS)} as now, coalesce(q.batches, 0) as batches, coalesce(q.forgotten_until, 1) as "forgottenUntil",
           ${LONGEST_PLAY} as "longestMs", ${selectHomeZone(truckUid)} as home,
           coalesce((
             select json_object_agg(a.uid, json_build_object('program', a.program_uid, 'files', (
                      select json_object_agg(f.sha256, f.longest_ms) from artwork_set_file f where f.set_uid = a.uid)))
               from artwork_set a where a.uid = any(${sets}::uuid[])), '{}') as sets,
           coalesce((
             select json_agg(n) from unnest(${numbers}::int8[]) n where q.received @> n), '[]') as "usedNumbers",
           coalesce((
             select json_agg(n) from unnest(${numbers}::int8[]) n where q.rejected @> n), '[]') as "rejectedNumbers",
           coalesce((
             select json_agg(n) from unnest(${numbers}::int8[]) n where q.duplicates @> n), '[]') as "duplicateNumbers",
           coalesce(case when ${looksForIds}::boolean or q.received && ${range}::int8multirange then (
             select json_agg(k.play_id) from known_play k
              where k.device_uid = ${uid}::uuid and k.play_id = any(${ids}::text[])) end, '[]') as "knownIds"
      from (select) one left join play_sequence q on q.device_uid = ${uid}::uuid`).execute(db)
  return found[0] as BatchFacts
}
