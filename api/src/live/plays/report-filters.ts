import { NIL_UUID } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
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
  const played = db.selectFrom('play_hour').where('program_uid', '=', program)
  const booked = db.selectFrom('program_market').where('program_uid', '=', program)
  const named = await db
    .selectFrom('market')
    .select('name')
    .where('uid', '=', market ?? null)
    .where((eb) =>
      eb.or([
        eb.exists(booked.select('market_uid').where('market_uid', '=', market ?? null)),
        eb.exists(played.select('market_uid').where('market_uid', '=', market ?? null)),
      ]),
    )
    .executeTakeFirst()
  const trucks = await db
    .selectFrom('truck')
    .select('number')
    .where('uid', '=', anyOf(truck))
    .where('uid', 'in', played.select('truck_uid').where('truck_uid', '=', anyOf(truck)))
    .orderBy('number')
    .execute()
  const unknown = trucks.length < new Set(truck).size ? ['unknown'] : []
  return { market: named?.name ?? 'unknown', trucks: [...trucks.map(({ number }) => number), ...unknown].join(', ') }
}

/** A LIKE pattern for each word of a search. */
export const searchPatterns = (search: string | undefined): string[] =>
  search?.split(/\s+/).filter(Boolean).map(likePattern) ?? []

/** Conditions that a row's truck number holds the words of a search. */
export const truckMatches = (search: string | undefined, truck: RawBuilder<unknown>): RawBuilder<unknown>[] =>
  searchPatterns(search).map(
    (pattern) => sql`${truck} in (select uid from truck where lower(number collate "default") like lower(${pattern}))`,
  )
