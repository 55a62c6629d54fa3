import { type RawBuilder, sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'
import { OFFICE_ZONE } from '../../platform/db/office-zone.ts'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/**
 * The present day of a program: the earliest among its markets, so that no day ends while it still runs somewhere.
 * Tests choose the moment.
 */
export const programToday = (program: SqlFragment, at: SqlFragment = sql`now()`): RawBuilder<string> => sql`coalesce((
  select min((${at} at time zone zone_at(m.zone, m.earlier_zones, ${at}))::date) from program_market pm join market m on m.uid = pm.market_uid
   where pm.program_uid = ${program}), (${at} at time zone ${OFFICE_ZONE})::date)`

/** Whether the last day of POP `o` is over. */
export const isPopOver = sql<boolean>`(o.ends_on is not null and o.ends_on < ${programToday(sql`o.uid`)})`

/** Whether POP `o` is public: a version is shown, and its last day is not over. */
export const isPublicPop = sql<boolean>`(o.shown_version is not null and not ${isPopOver})`

/** Refuses to delete a program or a client whose POP is public, and names the POP. */
export async function refuseIfPublic(db: Db, reference: 'uid' | 'client_uid', uid: string): Promise<void> {
  const pops = await db
    .selectFrom('client_program as p')
    .innerJoin('pop as o', 'o.uid', 'p.uid')
    .select(['p.uid', 'p.name', 'o.version'])
    .where(`p.${reference}`, '=', uid)
    .where('p.deleted_at', 'is', null)
    .where(isPublicPop)
    .orderBy('p.name')
    .execute()
  if (pops.length === 0) return
  const names = joinNames(pops.map(({ name }) => name))
  throw new AppError('stillNeeded', {
    text: `The public sees the POP of ${names}. Withdraw ${pops.length === 1 ? 'it' : 'them'} first.`,
    inTheWay: pops.map(({ uid, name, version }) => ({
      kind: 'publicPage',
      name: `POP of ${name}`,
      screen: `/client-pop?open=${uid}`,
      act: { kind: 'withdraw', uid, version },
    })),
  })
}
