import { type DeliveredPlays, dropSentence, type FigureDrop } from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../../platform/db/actor-name.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { addHistoryEntries } from '../../platform/history/entries.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { type CausingEntry, dropCauseOf, isLargeDrop } from './drop-rules.ts'
import { type MarketTotal, playTotals } from './totals.ts'

/** Positions arrive out of order: a grade that they take away and give back within this time is no drop. */
const isSettled = sql<boolean>`(cause_id > 0 or since < now() - interval '1 hour')`

/** By how much the plays of a program on a day in a market have changed, and why. */
interface FigureChange extends DeliveredPlays {
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

const isDrop = ({ plays, verified }: FigureChange) => plays < 0 || verified < 0

async function takeChanges(db: Db, programUid: string): Promise<FigureChange[]> {
  const { rows } = await sql<FigureChange>`
    with taken as (
      delete from figure_change where program_uid = ${programUid} and ${isSettled}
      returning cause_id, day, market_uid, plays, verified)
    select c.cause_id as "causeId", c.day, c.market_uid as "marketUid", m.name as market, c.plays, c.verified,
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

const NO_PLAYS = { plays: 0, verified: 0 }

function dropOf({ entry, by, truck, ...change }: FigureChange, totals: readonly MarketTotal[]): FigureDrop {
  const total = totals.find(({ day, market }) => day === change.day && market === change.marketUid) ?? NO_PLAYS
  const after = { plays: total.plays, verified: total.verified }
  return {
    localDate: change.day,
    market: change.market,
    before: { plays: after.plays - change.plays, verified: after.verified - change.verified },
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
  totals: readonly MarketTotal[],
): Promise<void> {
  const drops = changes.filter(isDrop).map((change) => ({ change, drop: dropOf(change, totals) }))
  await addHistoryEntries(
    db,
    drops.map(({ change, drop }) => entryOf(uid, change, drop)),
  )
  const lost = (figure: keyof DeliveredPlays) => -changes.reduce((sum, change) => sum + change[figure], 0)
  const left = totals.find(({ isTotal }) => isTotal) ?? NO_PLAYS
  const [plays, verified] = [lost('plays'), lost('verified')]
  if (!isLargeDrop(plays, left.plays + plays) && !isLargeDrop(verified, left.verified + verified)) return
  const { causeId, shiftUid } = changes[0] ?? {}
  const sentences = drops.map(({ drop }) => dropSentence(drop))
  const data = { programUid: uid, program: name, causeId, shiftUid, plays, verified, sentences }
  await recordEvents(db, [{ type: 'figures.dropped', object: `program ${uid}`, data }])
}

async function settleProgram(db: Db, program: NamedProgram): Promise<void> {
  const changes = await takeChanges(db, program.uid)
  if (!changes.some(isDrop)) return
  const totals = await playTotals(db, 'all', { by: 'market', program: program.uid })
  for (const causeId of new Set(changes.map((change) => change.causeId))) {
    const ofCause = changes.filter((change) => change.causeId === causeId)
    await keepDrops(db, program, ofCause, totals)
  }
}

/** Keeps what lowered the delivered plays of programs, once a run of grading has ended. */
export async function settleFigureChanges(db: Db, signal?: AbortSignal): Promise<void> {
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
