import { type BatchAck, play } from '@roadshow/contract'
import { sql } from 'kysely'
import { NOW_MS } from '../../platform/db/clock.ts'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { keptSince, withDays } from '../../platform/db/days.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { playsStored } from './metrics.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { DeviceBatch, rejectTime } from '../device-batches/index.ts'
import { evidenceFor } from './facts.ts'
import { gradePlay } from './grade.ts'
import { type GradedPlay, type ParsedPlay, type Player, storeBatch } from './store.ts'

interface StoredBatch {
  answer: BatchAck
  /** When the newest of the new plays began. */
  playedAt: number | undefined
}

/** Stores a batch of plays and answers each row; every row that is accepted or a duplicate is on disk by then. */
export async function storePlays(db: Db, player: Player, sent: unknown, at?: number): Promise<StoredBatch> {
  const batch = new DeviceBatch<ParsedPlay>(sent, play, 'playId')
  const { keepPlaysDays, outsideMarketByMetres } = await readSettings(db)
  const { now, programs } = await readFacts(db, new Set(batch.rows.map(({ row }) => row.artworkSetUid)), at)
  const oldest = keptSince(keepPlaysDays, now)
  const good = batch.rejectIf(
    ({ startedAt, artworkSetUid }) =>
      rejectTime(startedAt, oldest, now) ?? (programs[artworkSetUid] ? undefined : 'Artwork set not found.'),
  )
  // A play that is twice in one batch is stored by its first row.
  const firsts = new Map(good.map((each) => [each.row.playId, each] as const).toReversed())
  const rows = [...firsts.values()].map(({ row }) => row)
  const plays = await gradeRows(db, player, { rows, programs, outsideByM: outsideMarketByMetres })
  const days = new Set(rows.map(({ startedAt }) => startedAt.slice(0, 10)))
  const sequences = batch.rows.map(({ row }) => row.sequence)
  const stored = await withDays(db, 'play', days, () => storeBatch(db, { player, plays, sequences }))
  playsStored.inc(stored.size)
  for (const each of good) {
    const isNew = stored.has(each.row.playId) && firsts.get(each.row.playId) === each
    batch.answer(each, isNew ? 'accepted' : 'duplicate')
  }
  const times = rows.filter(({ playId }) => stored.has(playId)).map(({ startedAt }) => Date.parse(startedAt))
  return { answer: batch.acks, playedAt: times.length > 0 ? Math.max(...times) : undefined }
}

interface RowsToGrade {
  rows: readonly ParsedPlay[]
  programs: BatchFacts['programs']
  outsideByM: number
}

async function gradeRows(db: Db, player: Player, { rows, programs, outsideByM }: RowsToGrade): Promise<GradedPlay[]> {
  const moments = rows.map(({ startedAt }) => Date.parse(startedAt))
  const evidence = await evidenceFor(db, player.truckUid, moments, outsideByM)
  return rows.map((row) => {
    const claim = { at: Date.parse(row.startedAt), place: row.place, programUid: programs[row.artworkSetUid] ?? '' }
    return { row, ...gradePlay(claim, evidence) }
  })
}

interface BatchFacts {
  now: number
  /** The programs of artwork sets, by the uid of the set. */
  programs: Readonly<Record<string, string>>
}

async function readFacts(db: Db, artworkSetUids: ReadonlySet<string>, at?: number): Promise<BatchFacts> {
  const uids = plainArray([...artworkSetUids])
  const { rows } = await prepared(sql<{ now: number; programs: BatchFacts['programs'] | null }>`
    select ${sql.raw(NOW_MS)} as now,
           (select json_object_agg(uid, program_uid) from artwork_set where uid = any(${uids})) as programs`).execute(
    db,
  )
  return { now: at ?? rows[0]?.now ?? NaN, programs: rows[0]?.programs ?? {} }
}
