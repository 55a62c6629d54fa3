import type { TruckSide } from '@roadshow/contract'
import { sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'

/** Days of markets, and what their plays are filtered by. */
export interface DayTotalsQuery {
  program?: string | undefined
  market?: string | undefined
  shift?: string | undefined
  truck?: string[] | undefined
  side?: TruckSide[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** The days of a query. Without a program, the last week counts: all time of a fleet is too much. */
export const onDays = (day: SqlFragment, { program, shift, from, to }: DayTotalsQuery): SqlFragment[] => {
  const since = from ?? (program || shift ? undefined : sql`(current_date - 7)`)
  return [...(since ? [sql`${day} >= ${since}::date`] : []), ...(to ? [sql`${day} <= ${to}::date`] : [])]
}

/** Conditions on the program and truck of rows, for a reader who is limited to the programs of a client or to nothing. */
export function ofProgramAndTruck(
  row: 'h' | 's',
  { program, truck }: DayTotalsQuery,
  client: string | null,
): SqlFragment[] {
  const [programUid, truckUid] = [sql.ref(`${row}.program_uid`), sql.ref(`${row}.truck_uid`)]
  return [
    ...(program ? [sql`${programUid} = ${program}`] : []),
    ...(client !== null && !program
      ? [sql`${programUid} in (select uid from client_program where client_uid = ${client})`]
      : []),
    ...(truck ? [sql`${truckUid} = any(${truck}::uuid[])`] : []),
  ]
}
