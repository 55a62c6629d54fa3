import { campaigns } from '@roadshow/contract/proof/campaigns'
import type { Campaign, CampaignTruck } from '@roadshow/contract/proof/campaigns'
import { useCall, useReply } from '../../api/useCall.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

/** One page of campaigns, which stays current. */
export const useCampaigns = (query: UrlSearch) => useReply(campaigns.list, { query }, { keepsOld: true })

/** The trucks on shifts of running campaigns, asked for again and again while the page is looked at. */
export function useCampaignTrucks(shown: readonly Campaign[] | undefined): readonly CampaignTruck[] | undefined {
  const program = (shown ?? []).filter(({ phase }) => phase === 'running').map(({ uid }) => uid)
  const found = useCall(campaigns.trucks, { query: { program } }, { enabled: program.length > 0, keepsOld: true })
  return found.data
}
