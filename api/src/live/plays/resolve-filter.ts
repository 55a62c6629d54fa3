import { NIL_UUID } from '@roadshow/contract'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { withClocks } from './market-clocks.ts'
import type { DayTotalsQuery } from './play-filter.ts'
import { clientLimit, requireMarkets, requirePrograms } from './report-filters.ts'

/** Clients cannot ask who drives: with such a filter they find nothing. */
export const hideDriver = <Query extends DayTotalsQuery>({ rows }: Scope, query: Query): Query =>
  rows === 'own' && query.driver ? { ...query, driver: [NIL_UUID] } : query

/** The programs that clients leave, which are looked up once: files of the archive do not know clients. */
async function programsOfClients(db: Db, scope: Scope, { program, client }: DayTotalsQuery) {
  const limit = clientLimit(scope)
  if (limit === null && client === undefined) return program
  const found = await db
    .selectFrom('client_program')
    .select('uid')
    .$if(limit !== null, (query) => query.where('client_uid', '=', limit))
    .$if(client !== undefined, (query) => query.where('client_uid', '=', anyOf(client ?? [])))
    .$if(program !== undefined, (query) => query.where('uid', '=', anyOf(program ?? [])))
    .execute()
  return found.map(({ uid }) => uid)
}

/**
 * A query of the ad log with what plays are compared with: the programs that its reader may see, and the clocks of the
 * markets. Programs and markets that are not theirs answer 404.
 */
export async function resolveFilter<Query extends DayTotalsQuery>(
  db: Db,
  scope: Scope,
  query: Query,
): Promise<Query & { client: undefined }> {
  if (query.program) await requirePrograms(db, scope, query.program)
  await requireMarkets(db, query.market)
  const program = await programsOfClients(db, scope, query)
  return { ...(await withClocks(db, hideDriver(scope, query))), program, client: undefined }
}
