import type { FillRequest, FillResult } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { insertFillProposal, storeResult } from './fill-proposals.ts'
import { loadSearch, propose } from './propose.ts'
import { loadWantedDays } from './slots.ts'

/** Checks a request and stores it as the newest fill proposal of a user, with everything that the search needs. */
export async function openFillProposal(db: Db, userUid: string, request: FillRequest) {
  const days = await loadWantedDays(db, request)
  const search = await loadSearch(db, request, days)
  const program = days.facts.programs.get(request.programUid)?.name ?? ''
  return { search, proposal: await insertFillProposal(db, userUid, { ...request, program }) }
}

/** Makes a fill proposal at once, without a person who waits for it. */
export async function makeFillProposal(
  db: Db,
  userUid: string,
  request: FillRequest,
  signal: AbortSignal,
): Promise<void> {
  const { search, proposal } = await openFillProposal(db, userUid, request)
  await storeResult(db, proposal.uid, await propose(search, signal))
}

/** Looks for shifts without keeping the fill proposal for anyone, and without the reasons of those that find no place. */
export async function proposeShifts(db: Db, request: FillRequest, signal: AbortSignal): Promise<FillResult> {
  const search = await loadSearch(db, request, await loadWantedDays(db, request))
  return propose(search, signal, { withReasons: false })
}
