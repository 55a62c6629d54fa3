import { type DeliveredFigures, dropSentence, figureWords, type FigureDrop } from '@roadshow/contract'
import { sql } from 'kysely'
import { workedShifts } from '../../planning/shifts/index.ts'
import { ACTOR_NAME } from '../../platform/db/actor-name.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { addHistoryEntries } from '../../platform/history/entries.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { type CausingEntry, dropCauseOf, isLargeDrop } from './drop-rules.ts'
import { playTotals } from './totals.ts'

/**
 * Positions arrive out of order: a grade that they take away and give back within this time is no drop. The hours and miles of
 * the same cause are awaited.
 */
const isSettled = sql<boolean>`((cause_id > 0 or since < now() - interval '1 hour')
  and not exists (select from work_before b where b.program_uid = figure_change.program_uid))`

/** By how much the figures of a program on a day in a market have changed, and why. */
interface FigureChange extends DeliveredFigures {
  causeId: number
  day: string
  marketUid: string
  market: string
  /** Null where data of the truck arrived; then the rest is null as well. */
  entry: CausingEntry | null
  actorUid: string | null
  keyUid: string | null
  by: string | null
  truckUid: string | null
  truck: string | null
  /** The shift to correct. */
  shiftUid: string | null
}

const figures = figureWords.map(({ figure }) => figure)

const mapFigures = (of: (figure: keyof DeliveredFigures) => number): DeliveredFigures => ({
  plays: of('plays'),
  verified: of('verified'),
  seconds: of('seconds'),
  metres: of('metres'),
})

const isDrop = (change: FigureChange) => figures.some((figure) => change[figure] < 0)

/** Notes by how much the hours and miles of changed shifts have changed, once their miles are measured. */
const noteWorkChanges = (db: Db) =>
  sql`
    with measured as (
      delete from work_before b
       where b.since < now() - interval '1 hour'
          or not exists (select from miles_due d join shift s on d.truck_uid in (b.truck_uid, s.truck_uid) where s.uid = b.shift_uid)
      returning *
    ), moved as (
      select shift_uid, truck_uid, since, program_uid, market_uid, day, -seconds as seconds, -metres as metres from measured
       union all
      select b.shift_uid, b.truck_uid, b.since, w.program, w.market, w.day, w.seconds::bigint, coalesce(w.metres, 0)
        from measured b join (${workedShifts(sql`t.uid in (select shift_uid from measured)`)}) w on w.uid = b.shift_uid
    ), caused as (
      select m.*, coalesce((
        select max(h.id) from history h
         where h.table_name = 'shift' and h.at = m.since and h.record_uid in (
           select m.shift_uid union all
           select t.shift_uid from truck_hold t
            where t.truck_uid = m.truck_uid and t.during && tstzrange(m.day - 1, m.day + 3))), 0) as cause_id
        from moved m
    )
    insert into figure_change as f (program_uid, cause_id, day, market_uid, plays, verified, seconds, metres)
    select program_uid, cause_id, day, market_uid, 0, 0, sum(seconds), sum(metres) from caused
     group by 1, 2, 3, 4 having sum(seconds) <> 0 or sum(metres) <> 0 order by 1, 2, 3, 4
    on conflict (program_uid, cause_id, day, market_uid) do update
      set seconds = f.seconds + excluded.seconds, metres = f.metres + excluded.metres`.execute(db)

async function takeChanges(db: Db, programUid: string): Promise<FigureChange[]> {
  const { rows } = await sql<FigureChange>`
    with taken as (
      delete from figure_change where program_uid = ${programUid} and ${isSettled}
      returning cause_id, day, market_uid, plays, verified, seconds, metres)
    select c.cause_id as "causeId", c.day, c.market_uid as "marketUid", m.name as market, c.plays, c.verified,
           c.seconds, c.metres,
           case when h.id is not null then json_build_object(
             'table', h.table_name, 'action', h.action, 'changes', h.changes) end as entry,
           h.actor_uid as "actorUid", h.key_uid as "keyUid", ${ACTOR_NAME} as by, t.uid as "truckUid", t.number as truck,
           case when s.deleted_at is null then s.uid end as "shiftUid"
      from taken c join market m on m.uid = c.market_uid
      left join history h on h.id = c.cause_id
      left join user_account u on u.uid = h.actor_uid
      left join api_key k on k.uid = h.key_uid
      left join shift s on h.table_name = 'shift' and s.uid = h.record_uid
      left join truck t on t.uid = coalesce((h.changes -> 'truck_uid' ->> 0)::uuid, s.truck_uid)
     order by c.cause_id, c.day, m.name`.execute(db)
  return rows
}

interface DayFigures extends DeliveredFigures {
  market: string | null
  day: string | null
}

/** What a program got by now, by market and day. */
async function readFigures(db: Db, programUid: string): Promise<DayFigures[]> {
  const { rows } = await sql<Omit<DayFigures, 'plays' | 'verified'>>`
    select market, day, sum(seconds)::bigint as seconds, coalesce(sum(metres), 0) as metres
      from (${workedShifts(sql`t.program_uid = ${programUid}`)}) w group by market, day`.execute(db)
  const plays = await playTotals(db, 'all', { by: 'market', program: programUid })
  return [
    ...plays.filter(({ day }) => day !== null).map((total) => ({ ...total, seconds: 0, metres: 0 })),
    ...rows.map((row) => ({ ...row, plays: 0, verified: 0 })),
  ]
}

const sumOf = (rows: readonly DeliveredFigures[]) =>
  mapFigures((figure) => rows.reduce((sum, row) => sum + row[figure], 0))

function dropOf({ entry, by, truck, ...change }: FigureChange, delivered: readonly DayFigures[]): FigureDrop {
  const after = sumOf(delivered.filter(({ day, market }) => day === change.day && market === change.marketUid))
  return {
    localDate: change.day,
    market: change.market,
    before: mapFigures((figure) => after[figure] - change[figure]),
    after,
    cause: dropCauseOf(entry),
    by,
    truck,
    shift: change.shiftUid,
  }
}

/** A drop as the history of the program keeps it. */
const entryOf = (programUid: string, { actorUid, keyUid, marketUid, truckUid }: FigureChange, drop: FigureDrop) => {
  const { before, after, localDate: local_date, shift: shift_uid, cause } = drop
  const figures: [object, object] = [
    before,
    { ...after, local_date, market_uid: marketUid, truck_uid: truckUid, shift_uid, cause },
  ]
  return { table: 'client_program' as const, recordUid: programUid, actorUid, keyUid, changes: { figures } }
}

interface NamedProgram {
  uid: string
  name: string
}

/** Keeps the drops of one cause in the history of the program, and notifies the office of a large one. */
async function keepDrops(
  db: Db,
  { uid, name }: NamedProgram,
  changes: readonly FigureChange[],
  delivered: readonly DayFigures[],
): Promise<void> {
  const drops = changes.filter(isDrop).map((change) => ({ change, drop: dropOf(change, delivered) }))
  await addHistoryEntries(
    db,
    drops.map(({ change, drop }) => entryOf(uid, change, drop)),
  )
  const [changed, left] = [sumOf(changes), sumOf(delivered)]
  if (!figures.some((figure) => isLargeDrop(figure, -changed[figure], left[figure] - changed[figure]))) return
  const { causeId, shiftUid } = changes[0] ?? {}
  const sentences = drops.map(({ drop }) => dropSentence(drop))
  const data = {
    programUid: uid,
    program: name,
    causeId,
    shiftUid,
    lost: mapFigures((figure) => -changed[figure]),
    sentences,
  }
  await recordEvents(db, [{ type: 'figures.dropped', object: `program ${uid}`, data }])
}

async function settleProgram(db: Db, program: NamedProgram): Promise<void> {
  const changes = await takeChanges(db, program.uid)
  if (!changes.some(isDrop)) return
  const delivered = await readFigures(db, program.uid)
  for (const ofCause of groupBy(changes, ({ causeId }) => causeId).values())
    await keepDrops(db, program, ofCause, delivered)
}

/** Keeps what lowered the delivered figures of programs, once a run of grading has ended. */
export async function settleFigureChanges(db: Db, signal?: AbortSignal): Promise<void> {
  await noteWorkChanges(db)
  const programs = await db
    .selectFrom('client_program as p')
    .select(['p.uid', 'p.name'])
    .where('p.uid', 'in', (of) => of.selectFrom('figure_change').select('program_uid').where(isSettled))
    .execute()
  for (const program of programs) {
    if (signal?.aborted) return
    await inTransaction(db, (db) => settleProgram(db, program))
  }
}
