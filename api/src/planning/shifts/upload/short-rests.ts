import { formatMinutes, type ImportRow } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import { lastShiftBefore, shortRest } from '../shift-sql.ts'
import { withRemark } from './remarks.ts'

/** A shift as it will be once the file is saved. */
export interface PlannedRow {
  /** The number of its row in the file. */
  row: number
  truckUid: string
  driverUid: string
  marketUid: string
  startsAt: number
  endsAt: number
  /** The saved shift that it replaces, if there is one. */
  savedUid: string | undefined
}

// The driver's last shift is in the file or is a saved one that the file does not replace: the later of the two.
const lastShift = (replaced: readonly string[]) => sql`select ends_at from (
  (${lastShiftBefore({ driver: sql`g.driver`, before: sql`g.starts_at`, isOther: sql`b.uid <> all(${replaced}::uuid[])` })})
  union all select g.last_starts_at, g.last_ends_at where g.last_ends_at is not null) both_kinds
  order by starts_at desc limit 1`

const findShortRests = (planned: string, replaced: readonly string[]) => sql<{ row: number; hours: number }>`
  with given as materialized (
    select row, driver, starts_at, lag(starts_at) over before as last_starts_at, lag(ends_at) over before as last_ends_at
      from json_to_recordset(${planned}::json) g (row int, driver uuid, starts_at timestamptz, ends_at timestamptz)
    window before as (partition by driver order by starts_at)
  ), rested as materialized (
    select row, ${shortRest(sql`g.starts_at`, lastShift(replaced))} as hours from given g
  )
  select row, hours from rested where hours is not null`

/** Adds a remark to each row whose driver would rest for fewer hours than the settings ask for. */
export async function addShortRestRemarks(
  db: Db,
  rows: ImportRow[],
  planned: readonly PlannedRow[],
): Promise<ImportRow[]> {
  if (planned.length === 0) return rows
  const given = planned.map(({ row, driverUid, startsAt, endsAt }) => ({
    row,
    driver: driverUid,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: new Date(endsAt).toISOString(),
  }))
  const replaced = planned.flatMap(({ savedUid }) => savedUid ?? [])
  const found = await findShortRests(JSON.stringify(given), replaced).execute(db)
  if (found.rows.length === 0) return rows
  const hours = new Map(found.rows.map((each) => [each.row, each.hours]))
  return rows.map((each) => {
    const rest = hours.get(each.row)
    if (rest === undefined) return each
    return withRemark(each, 'start', `The driver has only ${formatMinutes(rest * 60)} of rest before this shift.`)
  })
}
