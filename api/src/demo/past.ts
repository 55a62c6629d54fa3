import { peopleWithLogin } from './people.ts'
import { addCampaignLink, addSalesProposal } from './add-shared-pages.ts'
import { addYears } from './add-years.ts'
import { closePayPeriods } from './close-pay-periods.ts'
import { recordHistory } from './history.ts'
import { onOneNode } from './on-one-node.ts'
import { addPops } from './pop.ts'
import { addFillProposal } from './add-fill-proposal.ts'
import { scopeOf, type Working } from './pop-photos.ts'
import { findApproaches, storeStopVisits } from '../live/telemetry/index.ts'

export type DemoPage = 'campaign' | 'proposal'

interface Options extends Working {
  brandName: string
  /** Only the trucks of the first client get a past, of two weeks. */
  isShort?: boolean
  /** How many of the blocks of the years before are added, the newest ones; all unless it says otherwise. */
  newestBlocks?: number
  /** Called with the finished and the total number of steps. */
  onProgress?: (done: number, total: number) => void
  /** Called once for each page that is opened by its link alone, with its path, which can't be read again. */
  onLink?: (page: DemoPage, path: string) => void
}

/**
 * Gives the demo its past: tracks and plays of eight weeks, approaches, photos, published pages, the two years before in
 * summary, closed pay periods, a campaign link, a proposal to a client and a fill proposal. Done once, by one node of all that
 * share the database; what a start leaves undone, the next one goes on with.
 */
export async function addPast(options: Options): Promise<void> {
  await onOneNode(options.db, 'demo past', () => addWholePast(options))
}

async function addWholePast(options: Options): Promise<void> {
  const { db, signal } = options
  const scope = await scopeOf(db, 'all', { email: peopleWithLogin[0]?.email ?? '' })
  const parts = options.isShort ? (['newest'] as const) : (['first', 'all'] as const)
  for (const part of parts) {
    await recordHistory(options, part)
    while (!signal.aborted && (await findApproaches(db, true, signal))) continue
    while (!signal.aborted && (await storeStopVisits(db, true, signal))) continue
    await addPops(options, part)
    if (part !== 'first' || signal.aborted) continue
    const path = await addCampaignLink(db, scope)
    if (path) options.onLink?.('campaign', path)
    await addYears(db, scope, options)
  }
  if (signal.aborted) return
  await closePayPeriods(db, scope, signal)
  if (options.isShort) return
  await addFillProposal(db, scope.actor.uid, signal)
  const seller = await scopeOf(db, 'all', { email: peopleWithLogin[1]?.email ?? '' })
  const path = await addSalesProposal(options, seller)
  if (path) options.onLink?.('proposal', path)
}
