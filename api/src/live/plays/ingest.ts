import { type BatchAck, play } from '@roadshow/contract'
import { CompiledQuery } from 'kysely'
import type { z } from 'zod'
import { NOW_MS } from '../../platform/db/clock.ts'
import { type Db, isRepeated, prepared } from '../../platform/db/connection.ts'
import { keptSince, withDays } from '../../platform/db/days.ts'
import { plainArray } from '../../platform/db/plain-array.ts'
import { playsStored } from './metrics.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { Batch, untimely } from '../device-batches/index.ts'
import { evidenceFor } from './facts.ts'
import { gradePlay } from './grade.ts'
import { ADD_TO_ADDRESSES, ADD_TO_HOURS, NOTHING, TO_ADDRESSES_THERE, TO_THOSE_THERE } from './rollup.ts'

type Play = z.output<typeof play>

/** The player that sends plays. */
interface Player {
  uid: string
  truckUid: string
}

/**
 * Everything that a batch changes, in one statement: it is stored as a whole or not at all, and answered only when it
 * is. Rows go in by the order of their ids, so that the same batch on another node waits instead of locking the other
 * way round. What many rows have in common is given once, as a kind. Whether the truck still was on the shift at that
 * moment is looked up once more here.
 */
const storing = (repeats: '' | 'on conflict do nothing', answer: string) =>
  prepared(`
  with kinds as materialized (
    select k.kind, k.artwork_set_uid, k.sha256, k.side, k.address_uid, k.grade, s.uid as shift_uid, s.program_uid,
           s.market_uid, driven_hours(s) as hours
      from unnest($10::uuid[], $11::text[], $12::text[], $13::uuid[], $14::text[], $15::uuid[]) with ordinality
             as k (artwork_set_uid, sha256, side, address_uid, grade, shift_uid, kind)
      left join shift s on s.uid = k.shift_uid and s.truck_uid = $2::uuid
  ), stored as (
    insert into play (device_uid, play_id, started_at, sequence, truck_uid, shift_uid, program_uid, market_uid,
                      artwork_set_uid, sha256, side, duration_ms, latitude, longitude, address_uid, grade)
    select $1::uuid, g.play_id, g.started_at, g.sequence, $2::uuid, s.shift_uid, s.program_uid, s.market_uid,
           k.artwork_set_uid, k.sha256, k.side, g.duration_ms, g.latitude, g.longitude, k.address_uid,
           coalesce(s.grade, 'unverified')
      from unnest($3::text[], $4::timestamptz[], $5::int8[], $6::int8[], $7::int[], $8::float8[], $9::float8[])
             as g (play_id, started_at, sequence, kind, duration_ms, latitude, longitude)
      join kinds k on k.kind = g.kind
      left join lateral (select k.shift_uid, k.program_uid, k.market_uid, k.grade where k.hours @> g.started_at) s on true
     order by g.play_id collate "C"
    ${repeats}
    returning play_id, started_at, truck_uid, program_uid, market_uid, side, duration_ms, grade, address_uid
  ), hours as (
    ${ADD_TO_HOURS}
    select date_trunc('hour', started_at), truck_uid, coalesce(program_uid, ${NOTHING}), coalesce(market_uid, ${NOTHING}),
           side, count(*), sum(duration_ms), count(*) filter (where grade = 'verified'),
           count(*) filter (where grade = 'conflict'), count(address_uid)
      from stored group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ${TO_THOSE_THERE}
  ), addresses as (
    ${ADD_TO_ADDRESSES}
    select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, address_uid, count(*), sum(duration_ms)
      from stored where address_uid is not null and program_uid is not null group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ${TO_ADDRESSES_THERE}
  ), after_holes as (
    insert into play_after_hole (device_uid, sequence, truck_uid, at)
    select $1::uuid, e.sequence, $2::uuid, e.at from unnest($17::int8[], $18::timestamptz[]) e (sequence, at)
     where not exists (select from play_sequence q where q.device_uid = $1::uuid and q.received @> e.sequence - 1)
    on conflict do nothing
  ), arrived as (
    insert into play_sequence as q (device_uid, received) values ($1::uuid, $16::int8multirange)
    on conflict (device_uid) do update set received = without_old_holes(q.received + excluded.received)
  )
  ${answer}`)
// Looking for a play before storing it costs as much as half of storing it, and nearly all batches are sent once. What is
// stored without a look is all of it, and need not be told. Plays are asked for all the same: so they are stored first,
// before the hours are locked, in whichever statement.
const STORE_NEW = storing('', 'select count(*) from stored')
const STORE = storing('on conflict do nothing', 'select play_id from stored')

const KNOWN = prepared(`
  select ${NOW_MS} as now,
         (select json_object_agg(uid, program_uid) from artwork_set where uid = any($1)) as programs`)

interface Stored {
  answer: BatchAck
  /** When the newest of the plays that were new began. */
  playedAt: number | undefined
}

/** Stores a batch of plays. Each row is answered; whatever is accepted or a duplicate is on disk by then. */
export async function storePlays(db: Db, player: Player, sent: unknown, at?: number): Promise<Stored> {
  const batch = new Batch<Play>(sent, play, 'playId')
  const { keepPlaysDays, outsideMarketByMetres } = await readSettings(db)
  const { now, programs } = await knownOf(db, new Set(batch.rows.map(({ row }) => row.artworkSetUid)), at)
  const oldest = keptSince(keepPlaysDays, now)
  const good = batch.rejectIf(
    ({ startedAt, artworkSetUid }) =>
      untimely(startedAt, oldest, now) ?? (programs[artworkSetUid] ? undefined : 'There is no such artwork set.'),
  )
  // The same play twice in one batch is stored by its first row.
  const firsts = new Map(good.map((each) => [each.row.playId, each] as const).toReversed())
  const rows = [...firsts.values()].map(({ row }) => row)
  const evidence = await evidenceFor(
    db,
    player.truckUid,
    rows.map(({ startedAt }) => Date.parse(startedAt)),
    outsideMarketByMetres,
  )
  const judged = rows.map((row) => ({
    row,
    ...gradePlay(
      { at: Date.parse(row.startedAt), place: row.place, programUid: programs[row.artworkSetUid] ?? '' },
      evidence,
    ),
  }))
  const numbers = batch.rows.map(({ row }) => row.sequence)
  const days = new Set(rows.map(({ startedAt }) => startedAt.slice(0, 10)))
  const stored = await withDays(db, 'play', days, () => store(db, player, judged, numbers))
  playsStored.inc(stored.size)
  for (const each of good) {
    const isNew = stored.has(each.row.playId) && firsts.get(each.row.playId) === each
    batch.answer(each, isNew ? 'accepted' : 'duplicate')
  }
  const times = rows.filter(({ playId }) => stored.has(playId)).map(({ startedAt }) => Date.parse(startedAt))
  return { answer: batch.acks, playedAt: times.length > 0 ? Math.max(...times) : undefined }
}

interface Known {
  now: number
  /** The programs of artwork sets, by their uids. */
  programs: Readonly<Record<string, string>>
}

async function knownOf(db: Db, artworkSetUids: ReadonlySet<string>, at?: number): Promise<Known> {
  const values = [plainArray([...artworkSetUids])]
  const { rows } = await db.executeQuery<{ now: number; programs: Known['programs'] | null }>(
    CompiledQuery.raw(KNOWN, values),
  )
  return { now: at ?? rows[0]?.now ?? NaN, programs: rows[0]?.programs ?? {} }
}

type JudgedPlay = { row: Play } & ReturnType<typeof gradePlay>

async function store(
  db: Db,
  { uid, truckUid }: Player,
  plays: JudgedPlay[],
  numbers: readonly number[],
): Promise<Set<string>> {
  const of = <T>(give: (play: JudgedPlay) => T) => plays.map(give)
  const { kinds, kindOf } = kindsOf(plays)
  const each = <T>(give: (kind: JudgedPlay) => T) => kinds.map(give)
  const beginnings = beginningsOf(
    numbers,
    of(({ row }) => row),
  )
  const values = [
    uid,
    truckUid,
    of(({ row }) => row.playId),
    plainArray(of(({ row }) => row.startedAt)),
    plainArray(of(({ row }) => row.sequence)),
    plainArray(kindOf),
    plainArray(of(({ row }) => row.durationMs)),
    plainArray(of(({ row }) => row.place?.latitude)),
    plainArray(of(({ row }) => row.place?.longitude)),
    each(({ row }) => row.artworkSetUid),
    each(({ row }) => row.sha256),
    each(({ row }) => row.side),
    each(({ row }) => row.addressUid),
    each(({ grade }) => grade),
    each(({ shift }) => shift?.uid),
    rangesOf(numbers),
    beginnings.map(({ sequence }) => sequence),
    beginnings.map(({ startedAt }) => startedAt),
  ]
  const run = (statement: string) => db.executeQuery<{ play_id: string }>(CompiledQuery.raw(statement, values))
  const storeOthers = async () => new Set((await run(STORE)).rows.map(({ play_id }) => play_id))
  // What fails within a transaction ends it.
  if (db.isTransaction) return storeOthers()
  try {
    await run(STORE_NEW)
    return new Set(of(({ row }) => row.playId))
  } catch (error) {
    if (!isRepeated(error)) throw error
    return storeOthers()
  }
}

/** One play of each kind, and which kind each play is of, counted from 1: a screen shows the same few files all day. */
function kindsOf(plays: readonly JudgedPlay[]): { kinds: JudgedPlay[]; kindOf: number[] } {
  const known = new Map<string, number>()
  const kinds: JudgedPlay[] = []
  const kindOf = plays.map((play) => {
    const { artworkSetUid, sha256, side, addressUid } = play.row
    const key = `${artworkSetUid} ${sha256} ${side} ${addressUid} ${play.grade} ${play.shift?.uid}`
    const kind = known.get(key) ?? kinds.push(play)
    known.set(key, kind)
    return kind
  })
  return { kinds, kindOf }
}

type Run = [from: number, until: number]

/** Numbers as runs of following ones, in order. */
function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = []
  for (const each of numbers.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    if (last && each <= last[1]) last[1] = Math.max(last[1], each + 1)
    else runs.push([each, each + 1])
  }
  return runs
}

/** Numbers as PostgreSQL writes them: `{[1,5),[7,8)}`. */
export const rangesOf = (numbers: readonly number[]): string =>
  `{${runsOf(numbers)
    .map(([from, until]) => `[${from},${until})`)
    .join(',')}}`

interface Beginning {
  sequence: number
  startedAt: string
}

/** The first number of each run, before which others may be missing, and when the first play of the run was. */
function beginningsOf(numbers: readonly number[], plays: readonly Play[]): Beginning[] {
  const times = new Map(plays.map(({ sequence, startedAt }) => [sequence, startedAt]))
  return runsOf(numbers).flatMap(([from, until]) => {
    let number = from
    while (number < until && !times.has(number)) number++
    const startedAt = times.get(number)
    return from > 1 && startedAt !== undefined ? { sequence: from, startedAt } : []
  })
}
