import type { play } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { type Db, isRepeated, prepared } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import type { gradePlay } from './grade.ts'
import { rollUp } from './rollup.ts'
import { multirangeOf, runStartsOf } from './sequences.ts'

export type ParsedPlay = z.output<typeof play>

/** The player that sends plays. */
export interface Player {
  uid: string
  truckUid: string
}

export type GradedPlay = ReturnType<typeof gradePlay> & { row: ParsedPlay }

export interface GradedBatch {
  player: Player
  /** The plays to store, each once. */
  plays: readonly GradedPlay[]
  /** The sequence numbers of everything that arrived, including plays that are not stored. */
  sequences: readonly number[]
}

interface PlayOfKind {
  play: GradedPlay
  kind: number
}

/** One play of each kind, and the kind of each play, counted from 1: a screen shows the same few files all day. */
function kindsOf(plays: readonly GradedPlay[]): { kinds: GradedPlay[]; playsOfKinds: PlayOfKind[] } {
  const known = new Map<string, number>()
  const kinds: GradedPlay[] = []
  const playsOfKinds = plays.map((play) => {
    const { artworkSetUid, sha256, side, addressUid } = play.row
    const key = `${artworkSetUid} ${sha256} ${side} ${addressUid} ${play.grade} ${play.shift?.uid}`
    const kind = known.get(key) ?? kinds.push(play)
    known.set(key, kind)
    return { play, kind }
  })
  return { kinds, playsOfKinds }
}

/** The values that many plays of a batch share, sent once as a kind. */
const kindTable = (kinds: readonly GradedPlay[]) =>
  rowsAsTable(
    'k',
    kinds,
    {
      artwork_set_uid: ['uuid', ({ row }) => row.artworkSetUid],
      sha256: ['text', ({ row }) => row.sha256],
      side: ['text', ({ row }) => row.side],
      address_uid: ['uuid', ({ row }) => row.addressUid],
      grade: ['text', ({ grade }) => grade],
      shift_uid: ['uuid', ({ shift }) => shift?.uid],
    },
    { ordinality: 'kind' },
  )

const playTable = (plays: readonly PlayOfKind[]) =>
  rowsAsTable('g', plays, {
    play_id: ['text', ({ play }) => play.row.playId],
    started_at: ['timestamptz', ({ play }) => play.row.startedAt],
    sequence: ['int8', ({ play }) => play.row.sequence],
    kind: ['int8', ({ kind }) => kind],
    duration_ms: ['int4', ({ play }) => play.row.durationMs],
    latitude: ['float8', ({ play }) => play.row.place?.latitude],
    longitude: ['float8', ({ play }) => play.row.place?.longitude],
  })

interface Storing {
  onConflict: RawBuilder<unknown>
  answer: RawBuilder<unknown>
}

// Looking for a play before storing it costs half as much as storing it, and nearly all batches are sent once. Both
// answers read `stored`: so plays are stored before the hours are locked, in either statement.
const ALL_NEW: Storing = { onConflict: sql``, answer: sql`select count(*) from stored` }
const SOME_KNOWN: Storing = { onConflict: sql`on conflict do nothing`, answer: sql`select play_id from stored` }

/**
 * Everything that a batch changes, in one statement: it is stored as a whole or not at all, and acknowledged only then.
 * Rows go in by the order of their ids, so that the same batch on another node waits instead of locking the other way
 * round. Whether the truck was on the shift at that moment is checked once more here.
 */
function storeStatement(
  { player: { uid, truckUid }, plays, sequences }: GradedBatch,
  { onConflict, answer }: Storing,
): RawBuilder<{ play_id: string }> {
  const { kinds, playsOfKinds } = kindsOf(plays)
  const runStarts = rowsAsTable(
    'e',
    runStartsOf(
      sequences,
      plays.map(({ row }) => row),
    ),
    {
      sequence: ['int8', ({ sequence }) => sequence],
      at: ['timestamptz', ({ startedAt }) => startedAt],
    },
  )
  return prepared(sql<{ play_id: string }>`
  with kinds as materialized (
    select k.kind, k.artwork_set_uid, k.sha256, k.side, k.address_uid, k.grade, s.uid as shift_uid, s.program_uid,
           s.market_uid, driven_hours(s) as hours
      from ${kindTable(kinds)}
      left join shift s on s.uid = k.shift_uid and s.truck_uid = ${truckUid}::uuid
  ), stored as (
    insert into play (device_uid, play_id, started_at, sequence, truck_uid, shift_uid, program_uid, market_uid,
                      artwork_set_uid, sha256, side, duration_ms, latitude, longitude, address_uid, grade)
    select ${uid}::uuid, g.play_id, g.started_at, g.sequence, ${truckUid}::uuid, s.shift_uid, s.program_uid, s.market_uid,
           k.artwork_set_uid, k.sha256, k.side, g.duration_ms, g.latitude, g.longitude, k.address_uid,
           coalesce(s.grade, 'unverified')
      from ${playTable(playsOfKinds)}
      join kinds k on k.kind = g.kind
      left join lateral (select k.shift_uid, k.program_uid, k.market_uid, k.grade where k.hours @> g.started_at) s on true
     order by g.play_id collate "C"
    ${onConflict}
    returning play_id, started_at, truck_uid, program_uid, market_uid, side, duration_ms, grade, address_uid
  ), ${rollUp('stored', sql`1`)}, after_holes as (
    insert into play_after_hole (device_uid, sequence, truck_uid, at)
    select ${uid}::uuid, e.sequence, ${truckUid}::uuid, e.at from ${runStarts}
     where not exists (select from play_sequence q where q.device_uid = ${uid}::uuid and q.received @> e.sequence - 1)
    on conflict do nothing
  ), arrived as (
    insert into play_sequence as q (device_uid, received) values (${uid}::uuid, ${multirangeOf(sequences)}::int8multirange)
    on conflict (device_uid) do update set received = without_old_holes(q.received + excluded.received)
  )
  ${answer}`)
}

/** Stores a graded batch and returns the ids of the plays that were new. */
export async function storeBatch(db: Db, batch: GradedBatch): Promise<Set<string>> {
  const storeUnknown = async () =>
    new Set((await storeStatement(batch, SOME_KNOWN).execute(db)).rows.map(({ play_id }) => play_id))
  // A statement that fails within a transaction ends it.
  if (db.isTransaction) return storeUnknown()
  try {
    await storeStatement(batch, ALL_NEW).execute(db)
    return new Set(batch.plays.map(({ row }) => row.playId))
  } catch (error) {
    if (!isRepeated(error)) throw error
    return storeUnknown()
  }
}
