import type { ImportRow } from '@roadshow/contract'
import type { Db } from '../../../platform/db/connection.ts'
import { loadShortWays } from '../travel/facts.ts'
import { describeShortWay } from '../travel/rules.ts'
import { withRemark } from './remarks.ts'
import type { PlannedRow } from './short-rests.ts'

/** Adds a remark to each row whose truck or driver would have too little time to travel to it, or on from it. */
export async function addTravelRemarks(
  db: Db,
  rows: ImportRow[],
  planned: readonly PlannedRow[],
): Promise<ImportRow[]> {
  const stays = planned.map(({ row, savedUid: _saved, ...stay }) => ({ uid: String(row), ...stay }))
  const replaced = planned.flatMap(({ savedUid }) => savedUid ?? [])
  const ways = await loadShortWays(db, stays, replaced)
  if (ways.size === 0) return rows
  return rows.map((each) =>
    (each.state === 'wrong' ? [] : (ways.get(String(each.row)) ?? [])).reduce(
      (row, way) => withRemark(row, way.isAfter ? 'end' : 'start', describeShortWay(way)),
      each,
    ),
  )
}
