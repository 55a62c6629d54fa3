import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { likePattern } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The program that a report is about, if the scope allows it; deleted programs keep their reports. */
export async function requireProgram(db: Db, { rows, actor }: Scope, uid: string) {
  const found = await db
    .selectFrom('client_program')
    .select(['uid', 'name'])
    .where('uid', '=', uid)
    .$if(rows === 'own', (query) => query.where('client_uid', '=', actor.clientUid))
    .executeTakeFirst()
  if (!found) throw new AppError('notFound')
  return found
}

/** Answers 404 for a market that does not exist. */
export async function requireMarket(db: Db, uid: string | undefined): Promise<void> {
  if (uid === undefined) return
  const found = await db.selectFrom('market').select('uid').where('uid', '=', uid).executeTakeFirst()
  if (!found) throw new AppError('notFound')
}

/** The client whose programs a scope is limited to; null for no limit. */
export const clientLimit = ({ rows, actor }: Scope): string | null =>
  rows === 'own' ? (actor.clientUid ?? NIL_UUID) : null

interface NamedFilters {
  program: string
  market?: string | undefined
  truck?: readonly string[] | undefined
}

/**
 * The names of the market and trucks that a report is filtered by, for its file. A market or truck that has nothing to
 * do with the program is "unknown", so that a reader cannot probe for names.
 */
export async function namesOfFilters(
  db: Db,
  { program, market, truck = [] }: NamedFilters,
): Promise<{ market: string; trucks: string }> {
  const { rows: markets } = await sql<{ name: string }>`
    select m.name from market m
     where m.uid = ${market ?? null}
       and (exists (select from program_market p where p.program_uid = ${program} and p.market_uid = m.uid)
            or exists (select 1 from play_hour h where h.program_uid = ${program} and h.market_uid = ${market ?? null}))`.execute(
    db,
  )
  const { rows: trucks } = await sql<{ name: string }>`
    select t.number as name from truck t
     where t.uid = any(${truck}::uuid[])
       and t.uid in (select h.truck_uid from play_hour h
                      where h.program_uid = ${program} and h.truck_uid = any(${truck}::uuid[]))
     order by t.number`.execute(db)
  const unknown = trucks.length < new Set(truck).size ? ['unknown'] : []
  return { market: markets[0]?.name ?? 'unknown', trucks: [...trucks.map(({ name }) => name), ...unknown].join(', ') }
}

/** A LIKE pattern for each word of a search. */
export const searchPatterns = (search: string | undefined): string[] =>
  search?.split(/\s+/).filter(Boolean).map(likePattern) ?? []

/** Conditions that a row's truck number holds the words of a search. */
export const truckMatches = (search: string | undefined, truck: RawBuilder<unknown>): RawBuilder<unknown>[] =>
  searchPatterns(search).map(
    (pattern) => sql`${truck} in (select uid from truck where lower(number collate "default") like lower(${pattern}))`,
  )
