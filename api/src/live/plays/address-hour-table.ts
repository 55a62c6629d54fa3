import type { TruckSide } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { SqlFragment } from '../../platform/db/records/fragments.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'

/** The plays for an SD address in an hour: what `play_hour` would say if it knew addresses. */
export interface AddressHour {
  /** In milliseconds since 1970. */
  hour: number
  truck_uid: string
  shift_uid: string
  program_uid: string
  market_uid: string
  day: string
  side: TruckSide
  plays: number
  duration_ms: number
  verified: number
  conflict: number
  no_track: number
}

/** PostgreSQL: hours of plays for an SD address, with the columns of `play_hour`. */
const addressHourTable = (rows: readonly AddressHour[]): RawBuilder<unknown> => sql`(
  select to_timestamp(hour / 1000) as hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays, duration_ms,
         verified, conflict, no_track
    from ${rowsAsTable('x', rows, {
      hour: ['float8', ({ hour }) => hour],
      truck_uid: ['uuid', ({ truck_uid }) => truck_uid],
      shift_uid: ['uuid', ({ shift_uid }) => shift_uid],
      program_uid: ['uuid', ({ program_uid }) => program_uid],
      market_uid: ['uuid', ({ market_uid }) => market_uid],
      day: ['date', ({ day }) => day],
      side: ['text', ({ side }) => side],
      plays: ['int4', ({ plays }) => plays],
      duration_ms: ['int8', ({ duration_ms }) => duration_ms],
      verified: ['int4', ({ verified }) => verified],
      conflict: ['int4', ({ conflict }) => conflict],
      no_track: ['int4', ({ no_track }) => no_track],
    })}) h`

/** The hours `h` that count the plays of a query: those of an SD address are read beforehand. */
export const hoursOf = ({ addressHours }: { addressHours?: readonly AddressHour[] | undefined }): SqlFragment =>
  addressHours ? addressHourTable(addressHours) : sql`play_hour h`
