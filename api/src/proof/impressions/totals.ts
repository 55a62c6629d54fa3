import type { impressions, PopImpressions, ReplyOf, ShiftImpressions } from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import { shiftRecords, tookPlace } from '../../planning/shifts/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { programRecords } from '../../catalog/programs/index.ts'

const isOn = async (db: Db) => (await readSettings(db)).showImpressions

const seconds = (column: string) => sql.raw(`round(${column} / 1000)::int`)

/** The estimated impressions of a shift. */
export async function impressionsOfShift(
  db: Db,
  scope: Scope,
  uid: string,
): Promise<ReplyOf<typeof impressions.shift>['data']> {
  await shiftRecords.get(db, scope, uid)
  if (!(await isOn(db))) return { isOn: false, impressions: null }
  const { rows } = await sql<ShiftImpressions>`
    select i.low, i.likely, i.high, ${seconds('i.counted_ms')} as "countedSeconds",
           ${seconds('i.parked_ms')} as "parkedSeconds", ${seconds('i.unlit_ms')} as "unlitSeconds",
           i.has_plays is false as "isWithoutPlays", i.method_version as method, ${utcText('i.computed_at')} as "computedAt"
      from shift_impression i join shift s on s.uid = i.shift_uid
     where i.shift_uid = ${uid} and i.low is not null and ${tookPlace('s')}`.execute(db)
  return { isOn: true, impressions: rows[0] ?? null }
}

interface ProgramImpressions {
  total: PopImpressions
  /** By the uid of the market. */
  markets: Map<string, PopImpressions & { name: string }>
}

type TotalRow = PopImpressions & { market: string | null; name: string | null }

/** The estimated impressions of a program's shifts that took place; undefined where they are turned off. */
export async function loadProgramImpressions(db: Db, program: string): Promise<ProgramImpressions | undefined> {
  if (!(await isOn(db))) return undefined
  const { rows } = await sql<TotalRow>`
    select s.market_uid as market, min(m.name) as name, coalesce(sum(i.low), 0)::float8 as low,
           coalesce(sum(i.likely), 0)::float8 as likely, coalesce(sum(i.high), 0)::float8 as high,
           count(i.low) as shifts, count(*) filter (where i.low is null) as "shiftsWithout",
           (select coalesce(json_agg(json_build_object('version', d.version, 'sha256', d.sha256)
                                     order by d.version), '[]')
              from impression_method d
             where d.version = any(array_agg(distinct i.method_version) filter (where i.low is not null))) as methods
      from shift s join market m on m.uid = s.market_uid left join shift_impression i on i.shift_uid = s.uid
     where s.program_uid = ${program} and ${tookPlace('s')}
     group by grouping sets ((), (s.market_uid))
     order by 2, 1`.execute(db)
  const found: ProgramImpressions = {
    total: { low: 0, likely: 0, high: 0, shifts: 0, shiftsWithout: 0, methods: [] },
    markets: new Map(),
  }
  for (const { market, name, ...sums } of rows) {
    if (market === null) found.total = sums
    else found.markets.set(market, { ...sums, name: name ?? '' })
  }
  return found
}

/** The estimated impressions of a program that the caller may see. */
export async function impressionsOfProgram(
  db: Db,
  scope: Scope,
  uid: string,
): Promise<ReplyOf<typeof impressions.program>['data']> {
  await programRecords.get(db, scope, uid)
  const found = await loadProgramImpressions(db, uid)
  if (!found) return null
  return {
    total: found.total,
    markets: [...found.markets].map(([marketUid, { name, ...sums }]) => ({ marketUid, market: name, ...sums })),
  }
}
