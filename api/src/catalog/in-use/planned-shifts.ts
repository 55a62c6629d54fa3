import { formatFullDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'

/** The columns of a shift that refer to other records. */
type Reference = 'truck_uid' | 'driver_uid' | 'program_uid' | 'market_uid' | 'artwork_set_uid' | 'address_set_uid'

const openShifts = (db: Db) =>
  db
    .selectFrom('shift as s')
    .innerJoin('truck as t', 't.uid', 's.truck_uid')
    .select(['t.number', 's.local_date as day'])
    .where('s.deleted_at', 'is', null)
    .where('s.status', 'in', ['planned', 'out'])
    .where('s.ends_at', '>', sql<string>`now()`)
    .orderBy('s.starts_at')

/** Refuses to delete a record that open shifts need, and names the shifts. */
export async function refuseIfPlanned(db: Db, reference: Reference, uid: string, what: string): Promise<void> {
  const shifts = await openShifts(db).where(`s.${reference}`, '=', uid).execute()
  if (shifts.length === 0) return
  const names = joinNames(shifts.map(({ number, day }) => `${number} on ${formatFullDay(day)}`))
  throw new AppError('stillNeeded', {
    text: `Shifts that are not over still need this ${what}: ${names}. Move or cancel them first.`,
  })
}

/** Refuses dates or markets of a program that leave out planned shifts, and names the shifts. */
export async function refuseIfPlannedElsewhere(db: Db, programUid: string): Promise<void> {
  const shifts = await openShifts(db)
    .innerJoin('market as m', 'm.uid', 's.market_uid')
    .innerJoin('client_program as p', 'p.uid', 's.program_uid')
    .leftJoin('program_market as pm', (join) =>
      join.onRef('pm.program_uid', '=', 's.program_uid').onRef('pm.market_uid', '=', 's.market_uid'),
    )
    .select('m.name as market')
    .where('s.program_uid', '=', programUid)
    .where((eb) =>
      eb.or([
        eb('pm.market_uid', 'is', null),
        eb('s.local_date', '<', eb.fn.coalesce('pm.starts_on', 'p.starts_on')),
        eb('s.local_date', '>', eb.fn.coalesce('pm.ends_on', 'p.ends_on')),
      ]),
    )
    .execute()
  if (shifts.length === 0) return
  const names = joinNames(shifts.map(({ number, market, day }) => `${number} in ${market} on ${formatFullDay(day)}`))
  throw new AppError('stillNeeded', {
    text: `Shifts are planned outside of these dates or markets: ${names}. Move or cancel them first.`,
  })
}
