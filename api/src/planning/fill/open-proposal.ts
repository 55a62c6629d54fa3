import type { FillRequest } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { insertProposal, storeResult } from './proposals.ts'
import { loadSearch, propose } from './propose.ts'
import { loadWantedDays } from './slots.ts'
import { SolverThread } from './solver-thread.ts'

/** Checks a request and stores it as the newest proposal of a user, with everything that the search needs. */
export async function openProposal(db: Db, userUid: string, request: FillRequest) {
  const days = await loadWantedDays(db, request)
  const search = await loadSearch(db, request, days)
  const program = days.facts.programs.get(request.programUid)?.name ?? ''
  return { search, proposal: await insertProposal(db, userUid, { ...request, program }) }
}

/** Makes a proposal at once, without a person who waits for it. */
export async function makeProposal(db: Db, userUid: string, request: FillRequest, signal: AbortSignal): Promise<void> {
  const { search, proposal } = await openProposal(db, userUid, request)
  const thread = new SolverThread(signal)
  try {
    await storeResult(db, proposal.uid, await propose(search, thread.solve, () => undefined))
  } finally {
    await thread.end()
  }
}
