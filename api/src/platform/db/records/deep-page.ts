import { type Db, prepared } from '../connection.ts'
import { type ListQuery, presentRows, type RecordKind } from './declaration.ts'
import {
  findPlace,
  forgetPlace,
  pageAtPlace,
  type Place,
  type PlaceCheck,
  placeNear,
  rememberPlace,
  REACH,
} from './places.ts'
import type { Scope } from './scope.ts'
import { foldIfMany } from './totals.ts'

interface Call {
  db: Db
  scope: Scope
  query: ListQuery
}

/** A remembered place may be outdated, and so may be one that was just found: after that all rows are skipped. */
const ATTEMPTS = 3

/**
 * A deep page of all rows of a list, read from a remembered place. Undefined if the order has no places, or the page is
 * past the end of the list.
 */
export async function readDeepPage<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  call: Call,
): Promise<{ data: Row[]; total: number } | undefined> {
  const { db, query } = call
  const by = kind.orderOf(query.sort)
  if (by.ownColumn === undefined) return undefined
  const order = `${kind.table} ${by.name}`
  const offset = (query.page - 1) * query.pageSize
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const place = placeNear(db, order, offset) ?? (await findPlace(db, { order, table: kind.table, by, offset }))
    const rows = place ? await readRows(kind, call, place) : []
    const [first] = rows
    if (!place || !first) return undefined
    const { $skip, $holds, $seen, $total } = first
    if ($holds && $skip >= 0 && $skip <= REACH) {
      rememberPlace(db, order, { ...place, offset: offset - $skip, seen: $seen })
      foldIfMany(db, kind.table, $seen.split(',').length)
      return { data: await presentRows(kind, call, rows.map(recordOf<Row>)), total: $total }
    }
    forgetPlace(db, order, place)
  }
  return undefined
}

function recordOf<Row extends object>(row: Row & PlaceCheck): Row {
  const { $skip: _skip, $holds: _holds, $seen: _seen, $total: _total, ...record } = row
  return record as unknown as Row
}

async function readRows<Row extends object, Query extends ListQuery>(
  kind: RecordKind<Row, Query>,
  { db, query }: Call,
  { key, uid, seen, offset }: Place,
): Promise<(Row & PlaceCheck)[]> {
  const { pageSize } = query
  const by = kind.orderOf(query.sort)
  const values = { $key: key, $uid: uid, $seen: seen, $skip: (query.page - 1) * pageSize - offset }
  const statement = kind.statements.compile<Row & PlaceCheck>(`place/${pageSize}/${by.name}`, values, (valueOf) =>
    prepared(pageAtPlace({ kind, by, pageSize, valueOf })),
  )
  const { rows } = await db.executeQuery(statement)
  return rows
}
