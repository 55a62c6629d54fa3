import type { play } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { type Db, prepared } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import type { gradePlay } from './grade.ts'
import { dayAtHome, type HomeZone } from './home-zone.ts'
import { rollUp } from './rollup.ts'
import { multirangeOf, runStartsOf } from './sequences.ts'
import type { RefusedNumbers, RefusedRow } from './used-numbers.ts'

export type ParsedPlay = z.output<typeof play>

/** The player that sends plays. */
export interface Player {
  uid: string
  truckUid: string
}

export type GradedPlay = ReturnType<typeof gradePlay> & {
  row: ParsedPlay
  /** The program of its artwork. */
  programUid: string
}

export interface GradedBatch {
  player: Player
  home: HomeZone
  /** The plays to store, each once. None of them is known. */
  plays: readonly GradedPlay[]
  refused: RefusedNumbers
  /** How many batches of the player were stored when this one was graded. */
  batches: number
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
    const key = `${artworkSetUid} ${sha256} ${side} ${addressUid} ${play.grade} ${play.reason} ${play.shift?.uid}`
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
      program_uid: ['uuid', ({ programUid }) => programUid],
      sha256: ['text', ({ row }) => row.sha256],
      side: ['text', ({ row }) => row.side],
      address_uid: ['uuid', ({ row }) => row.addressUid],
      grade: ['text', ({ grade }) => grade],
      reason: ['text', ({ reason }) => reason],
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

const rejectionTable = (rows: readonly RefusedRow[]) =>
  rowsAsTable('r', rows, {
    sequence: ['int8', ({ sequence }) => sequence],
    play_id: ['text', ({ playId }) => playId],
    at: ['timestamptz', ({ startedAt }) => startedAt],
    reason: ['text', ({ reason }) => reason],
    is_duplicate: ['bool', ({ isDuplicate }) => isDuplicate],
  })

const runStartTable = ({ plays, refused }: GradedBatch) =>
  rowsAsTable('e', runStartsOf([...plays.map(({ row }) => row), ...refused.rows]), {
    sequence: ['int8', ({ sequence }) => sequence],
    at: ['timestamptz', ({ startedAt }) => startedAt],
  })

/**
 * Everything that a batch changes, in one statement: it is stored as a whole or not at all, and acknowledged only then.
 * It fails if another batch of the same player was stored since this one was graded. Whether the truck was on the shift at
 * that moment is checked once more here.
 */
function storeStatement(batch: GradedBatch): RawBuilder<unknown> {
  const { player, plays, refused } = batch
  const { kinds, playsOfKinds } = kindsOf(plays)
  const [device, truck] = [sql`${player.uid}::uuid`, sql`${player.truckUid}::uuid`]
  const received = multirangeOf(plays.map(({ row }) => row.sequence))
  const [rejected, duplicates] = [multirangeOf(refused.rejected), multirangeOf(refused.duplicates)]
  return prepared(sql`
  with arrived as (
    insert into play_sequence as q (device_uid, received, rejected, duplicates, reused, batches)
    values (${device}, ${received}::int8multirange, ${rejected}::int8multirange, ${duplicates}::int8multirange,
            ${refused.reused}::int8, 1)
    on conflict (device_uid) do update
      set received = q.received + excluded.received,
          rejected = (q.rejected + excluded.rejected) - (q.received + excluded.received),
          duplicates = (q.duplicates + excluded.duplicates) - (q.received + excluded.received + excluded.rejected),
          reused = q.reused + excluded.reused, batches = q.batches + 1,
          forgotten = q.forgotten - numbers_in(excluded.received * int8multirange(int8range(1, q.forgotten_until)))
     where q.batches = ${batch.batches}::int8
    returning device_uid
  ), turn as materialized (
    select require_same_batch((select count(*) from arrived))::text as done
  ), kinds as materialized (
    select k.kind, k.artwork_set_uid, k.program_uid, k.sha256, k.side, k.address_uid, k.grade, k.reason,
           k.shift_uid is null as is_unassigned, s.uid as shift_uid, s.market_uid, s.local_date,
           (select range_agg(h.during) from truck_hold h where h.shift_uid = s.uid) as hours
      from ${kindTable(kinds)}
      left join shift s on s.uid = k.shift_uid and s.truck_uid = ${truck}
  ), given as materialized (
    select g.play_id, g.started_at, g.sequence, g.duration_ms, g.latitude, g.longitude, k.artwork_set_uid, k.program_uid,
           k.sha256, k.side, k.address_uid, s.shift_uid, s.market_uid,
           case when s.shift_uid is not null or k.is_unassigned then k.grade else 'unverified' end as grade,
           case when s.shift_uid is not null or k.is_unassigned then k.reason else 'noShift' end as reason,
           coalesce(s.local_date, ${dayAtHome(batch.home, sql`g.started_at`)}) as day
      from turn, ${playTable(playsOfKinds)}
      join kinds k on k.kind = g.kind
      left join lateral (select k.shift_uid, k.market_uid, k.local_date where k.hours @> g.started_at) s on true
  ), known as (
    insert into known_play (device_uid, play_id, day) select ${device}, play_id, day from given order by play_id collate "C"
  ), stored as (
    insert into play (device_uid, play_id, started_at, sequence, truck_uid, shift_uid, program_uid, market_uid, day,
                      artwork_set_uid, sha256, side, duration_ms, latitude, longitude, address_uid, grade, reason)
    select ${device}, play_id, started_at, sequence, ${truck}, shift_uid, program_uid, market_uid, day,
           artwork_set_uid, sha256, side, duration_ms, latitude, longitude, address_uid, grade, reason from given
  ), counted as (
    select ${truck} as truck_uid, * from given
  ), ${rollUp('counted', sql`1`)}, after_holes as (
    insert into play_after_hole (device_uid, sequence, truck_uid, at)
    select ${device}, e.sequence, ${truck}, e.at from ${runStartTable(batch)}
     where not exists (select from play_sequence q where q.device_uid = ${device}
                          and (q.received + q.rejected + q.duplicates) @> e.sequence - 1)
    on conflict do nothing
  ), rejections as (
    insert into play_rejection (device_uid, sequence, play_id, truck_uid, at, reason, is_duplicate)
    select ${device}, r.sequence, r.play_id, ${truck}, r.at, r.reason, r.is_duplicate from ${rejectionTable(refused.rows)}
    on conflict do nothing
  ), accepted_after_all as (
    delete from play_rejection r using given g
     where r.device_uid = ${device} and r.sequence = g.sequence and (r.is_duplicate or r.play_id in ('', g.play_id))
  ), rejected_after_all as (
    delete from play_rejection r where r.device_uid = ${device} and r.is_duplicate and ${rejected}::int8multirange @> r.sequence
  )
  select count(*) from turn`)
}

/** Stores a graded batch. */
export async function storeBatch(db: Db, batch: GradedBatch): Promise<void> {
  await storeStatement(batch).execute(db)
}
