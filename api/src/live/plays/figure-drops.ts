import { type DeliveredPlays, type DropCause, dropSentence, type FigureDrop } from '@roadshow/contract'
import { sql } from 'kysely'
import { ACTOR_NAME } from '../../platform/db/actor-name.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { addHistoryEntries } from '../../platform/history/entries.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { type CausingEntry, dropCauseOf, isLargeDrop } from './drop-rules.ts'
import { playTotals } from './totals.ts'

/** Positions arrive out of order: a grade that they take away and give back within this time is no drop. */
const isSettled = sql<boolean>`(cause_id > 0 or since < now() - interval '1 hour')`

interface SummedChange extends DeliveredPlays {
  causeId: number
  day: string
  marketUid: string
  market: string
}

interface Cause {
  name: DropCause
  actorUid: string | null
  keyUid: string | null
  by: string | null
  truckUid: string | null
  truck: string | null
  /** The shift to correct. */
  shiftUid: string | null
}

const NEW_DATA: Cause = {
  name: 'data',
  actorUid: null,
  keyUid: null,
  by: null,
  truckUid: null,
  truck: null,
  shiftUid: null,
}

async function readCauses(db: Db, ids: readonly number[]): Promise<Map<number, Cause>> {
  const { rows } = await sql<CausingEntry & Omit<Cause, 'name'> & { id: number }>`
    select h.id, h.table_name as "table", h.action, h.changes, h.actor_uid as "actorUid", h.key_uid as "keyUid",
           ${ACTOR_NAME} as by, t.uid as "truckUid", t.number as truck,
           case when s.deleted_at is null then s.uid end as "shiftUid"
      from history h
      left join user_account u on u.uid = h.actor_uid
      left join api_key k on k.uid = h.key_uid
      left join shift s on h.table_name = 'shift' and s.uid = h.record_uid
      left join truck t on t.uid = coalesce((h.changes -> 'truck_uid' ->> 0)::uuid, s.truck_uid)
     where h.id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...row }) => [id, { ...row, name: dropCauseOf(row) }]))
}

const takeChanges = async (db: Db, programUid: string): Promise<SummedChange[]> => {
  const { rows } = await sql<SummedChange>`
    with taken as (
      delete from figure_change where program_uid = ${programUid} and ${isSettled}
      returning cause_id, day, market_uid, plays, verified)
    select t.cause_id as "causeId", t.day, t.market_uid as "marketUid", m.name as market, t.plays, t.verified
      from taken t join market m on m.uid = t.market_uid order by t.cause_id, t.day, m.name`.execute(db)
  return rows
}

/** A drop as the history of the program keeps it. */
const entryOf = (programUid: string, change: SummedChange, cause: Cause, { before, after }: FigureDrop) => ({
  table: 'client_program' as const,
  recordUid: programUid,
  actorUid: cause.actorUid,
  keyUid: cause.keyUid,
  changes: {
    figures: [
      before,
      {
        ...after,
        local_date: change.day,
        market_uid: change.marketUid,
        truck_uid: cause.truckUid,
        shift_uid: cause.shiftUid,
        cause: cause.name,
      },
    ] as [object, object],
  },
})

interface Delivered {
  total: DeliveredPlays
  of: (change: SummedChange) => DeliveredPlays
}

async function readDelivered(db: Db, program: string): Promise<Delivered> {
  const totals = await playTotals(db, 'all', { by: 'market', program })
  const none = { plays: 0, verified: 0 }
  return {
    total: totals.find(({ isTotal }) => isTotal) ?? none,
    of: ({ day, marketUid }) => {
      const { plays, verified } = totals.find((each) => each.day === day && each.market === marketUid) ?? none
      return { plays, verified }
    },
  }
}

/** Keeps the drops of one cause in the history of the program, and notifies the office of a large one. */
async function keepDrops(
  db: Db,
  program: { uid: string; name: string },
  {
    causeId,
    cause,
    changes,
    delivered,
  }: { causeId: number; cause: Cause; changes: SummedChange[]; delivered: Delivered },
): Promise<void> {
  const drops = changes
    .filter(({ plays, verified }) => plays < 0 || verified < 0)
    .map((change) => {
      const after = delivered.of(change)
      const before = { plays: after.plays - change.plays, verified: after.verified - change.verified }
      const { by, truck } = cause
      const drop: FigureDrop = {
        localDate: change.day,
        market: change.market,
        before,
        after,
        cause: cause.name,
        by,
        truck,
        shift: cause.shiftUid,
      }
      return { change, drop }
    })
  await addHistoryEntries(
    db,
    drops.map(({ change, drop }) => entryOf(program.uid, change, cause, drop)),
  )
  const lost = (figure: 'plays' | 'verified') => -changes.reduce((sum, change) => sum + change[figure], 0)
  const isLarge = (['plays', 'verified'] as const).some((figure) =>
    isLargeDrop(lost(figure), delivered.total[figure] + lost(figure)),
  )
  if (!isLarge) return
  const data = {
    programUid: program.uid,
    program: program.name,
    causeId,
    shiftUid: cause.shiftUid,
    plays: lost('plays'),
    verified: lost('verified'),
    sentences: drops.map(({ drop }) => dropSentence(drop)),
  }
  await recordEvents(db, [{ type: 'figures.dropped', object: `program ${program.uid}`, data }])
}

async function settleProgram(db: Db, program: { uid: string; name: string }): Promise<void> {
  const changes = await takeChanges(db, program.uid)
  if (!changes.some(({ plays, verified }) => plays < 0 || verified < 0)) return
  const causes = await readCauses(
    db,
    changes.map(({ causeId }) => causeId),
  )
  const delivered = await readDelivered(db, program.uid)
  for (const causeId of new Set(changes.map((change) => change.causeId))) {
    const ofCause = changes.filter((change) => change.causeId === causeId)
    const cause = causes.get(causeId) ?? NEW_DATA
    await keepDrops(db, program, { causeId, cause, changes: ofCause, delivered })
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
