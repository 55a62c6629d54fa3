import type { NumberedTime } from './sequences.ts'

/** A row of a batch that is not stored and will not come again, under a number that can be read. */
export interface RefusedRow extends NumberedTime {
  playId: string
  reason: string
  /** Its play is stored under another number. */
  isDuplicate: boolean
}

/** A row that was listed before. Those of earlier versions have no id. */
export type ListedRow = Pick<RefusedRow, 'sequence' | 'playId' | 'isDuplicate'>

/** What is known of the numbers of a batch. */
export interface KnownNumbers {
  /** Numbers with a stored play. */
  stored: readonly number[]
  /** Numbers without a play that have a rejected row. */
  rejected: readonly number[]
  /** Numbers under which only duplicates came. */
  duplicates: readonly number[]
}

/** How the rows of a batch that are not stored change the account of their player. */
export interface RefusedNumbers {
  /** Rows that were not listed before. */
  rows: RefusedRow[]
  /** Numbers that get a rejected row as their first one. */
  rejected: number[]
  /** Numbers that get a duplicate as their first row. */
  duplicates: number[]
  /** Rejected rows whose number has a play or another rejected row: they count beside it. */
  reused: number
}

/** A row by its number and id: sent again, it counts once. */
const rowKey = ({ sequence, playId }: Pick<ListedRow, 'sequence' | 'playId'>) => `${sequence} ${playId}`

/**
 * Gives each refused row its place: it is the end of a free number, or it counts beside a number that has one. A duplicate
 * says nothing new of a number that has any row.
 */
export function accountRefused(
  refused: readonly RefusedRow[],
  known: KnownNumbers,
  listed: readonly ListedRow[],
): RefusedNumbers {
  const account: RefusedNumbers = { rows: [], rejected: [], duplicates: [], reused: 0 }
  const seen = new Set(listed.filter(({ isDuplicate }) => !isDuplicate).map(rowKey))
  const used = new Set([...known.stored, ...known.rejected])
  for (const row of refused.filter(({ isDuplicate }) => !isDuplicate)) {
    if (seen.has(rowKey(row)) || seen.has(rowKey({ ...row, playId: '' }))) continue
    seen.add(rowKey(row))
    account.rows.push(row)
    if (used.has(row.sequence)) account.reused++
    else account.rejected.push(row.sequence)
    used.add(row.sequence)
  }
  for (const each of known.duplicates) used.add(each)
  for (const row of refused.filter(({ isDuplicate }) => isDuplicate)) {
    if (used.has(row.sequence)) continue
    used.add(row.sequence)
    account.rows.push(row)
    account.duplicates.push(row.sequence)
  }
  return account
}

/**
 * How many of these new plays have a number whose rejected rows are all of other plays: these rows stay rejected, and count
 * beside the number from now on.
 */
export const countDisplaced = (
  plays: readonly Pick<ListedRow, 'sequence' | 'playId'>[],
  listed: readonly ListedRow[],
): number =>
  plays.filter(({ sequence, playId }) => {
    const rows = listed.filter((row) => row.sequence === sequence && !row.isDuplicate)
    return rows.length > 0 && !rows.some((row) => row.playId === playId || row.playId === '')
  }).length
