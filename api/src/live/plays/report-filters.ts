import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { likePattern } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** The programs that a report is about, by name, if the scope allows all of them; deleted programs keep their reports. */
export async function requirePrograms(db: Db, { rows, actor }: Scope, uids: readonly string[]) {
  const found = await db
    .selectFrom('client_program')
    .select(['uid', 'name'])
    .where('uid', '=', anyOf(uids))
    .$if(rows === 'own', (query) => query.where('client_uid', '=', actor.clientUid))
    .orderBy('name')
    .execute()
  if (found.length < new Set(uids).size) throw new AppError('notFound')
  return found
}

/** The program that a report is about. */
export async function requireProgram(db: Db, scope: Scope, uid: string) {
  const [program] = await requirePrograms(db, scope, [uid])
  if (!program) throw new AppError('notFound')
  return program
}

/** Answers 404 for a market that does not exist. */
export async function requireMarkets(db: Db, uids: readonly string[] = []): Promise<void> {
  if (uids.length === 0) return
  const found = await db.selectFrom('market').select('uid').where('uid', '=', anyOf(uids)).execute()
  if (found.length < new Set(uids).size) throw new AppError('notFound')
}

/** The client whose programs a scope is limited to; null for no limit. */
export const clientLimit = ({ rows, actor }: Scope): string | null =>
  rows === 'own' ? (actor.clientUid ?? NIL_UUID) : null

interface NamedFilters {
  /** Undefined for all programs. */
  program?: readonly string[] | undefined
  market?: readonly string[] | undefined
  truck?: readonly string[] | undefined
}

const listOf = (names: readonly string[], given: readonly string[]): string =>
  [...names, ...(names.length < new Set(given).size ? ['unknown'] : [])].join(', ')

/**
 * The names of the markets and trucks that a report is filtered by, for its file. A market or truck that has nothing to
 * do with the programs is "unknown", so that a reader cannot probe for names.
 */
export async function namesOfFilters(
  db: Db,
  { program, market = [], truck = [] }: NamedFilters,
): Promise<{ market: string; trucks: string }> {
  const ofPrograms = anyOf(program ?? [])
  const played = db.selectFrom('play_hour').where('program_uid', '=', ofPrograms)
  const booked = db.selectFrom('program_market').where('program_uid', '=', ofPrograms)
  const markets = await db
    .selectFrom('market')
    .select('name')
    .where('uid', '=', anyOf(market))
    .$if(program !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('uid', 'in', booked.select('market_uid').where('market_uid', '=', anyOf(market))),
          eb('uid', 'in', played.select('market_uid').where('market_uid', '=', anyOf(market))),
        ]),
      ),
    )
    .orderBy('name')
    .execute()
  const trucks = await db
    .selectFrom('truck')
    .select('number')
    .where('uid', '=', anyOf(truck))
    .$if(program !== undefined, (query) =>
      query.where('uid', 'in', played.select('truck_uid').where('truck_uid', '=', anyOf(truck))),
    )
    .orderBy('number')
    .execute()
  return {
    market: listOf(
      markets.map(({ name }) => name),
      market,
    ),
    trucks: listOf(
      trucks.map(({ number }) => number),
      truck,
    ),
  }
}

/** A LIKE pattern for each word of a search. */
export const searchPatterns = (search: string | undefined): string[] =>
  search?.split(/\s+/).filter(Boolean).map(likePattern) ?? []

/** Conditions that a row's truck number holds the words of a search. */
export const truckMatches = (search: string | undefined, truck: RawBuilder<unknown>): RawBuilder<unknown>[] =>
  searchPatterns(search).map(
    (pattern) => sql`${truck} in (select uid from truck where lower(number collate "default") like lower(${pattern}))`,
  )
