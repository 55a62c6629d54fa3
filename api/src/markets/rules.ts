import type { BodyOf, markets } from '@roadshow/contract'
import { AppError } from '../app-error.ts'
import type { Db } from '../db/connection.ts'
import { whatNeeds } from './queries.ts'

/** What a form gave, as a row of the table. */
export const toRow = ({ radiusM, outline, depots, ...given }: BodyOf<typeof markets.create>) => ({
  ...given,
  radius_m: radiusM,
  outline: outline && JSON.stringify(outline),
  depots: JSON.stringify(depots),
})

// More names than these would not be read.
const NAMED = 5

/** Refuses to delete a market that is in use, and says by what. */
export async function refuseIfNeeded(db: Db, marketUid: string): Promise<void> {
  const needing = await whatNeeds(db, marketUid)
  if (needing.length === 0) return
  const named = needing.slice(0, NAMED).join(', ')
  const more = needing.length > NAMED ? ` and ${needing.length - NAMED} more` : ''
  throw new AppError('marketNeeded', { text: `This market is still needed by ${named}${more}.` })
}
