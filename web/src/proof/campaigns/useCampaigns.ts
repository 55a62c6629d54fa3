import { campaigns } from '@roadshow/contract/proof/campaigns'
import type { Campaign, CampaignTruck } from '@roadshow/contract/proof/campaigns'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

// Figures of the week change slowly; trucks are asked for more often.
const FIGURES_MS = 60_000
const TRUCKS_MS = 10_000

/** One page of campaigns, which stays current. */
export const useCampaigns = (query: UrlSearch) =>
  useQuery({
    queryKey: keyOf(campaigns.list, query),
    queryFn: ({ signal }) => call(campaigns.list, { query }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: FIGURES_MS,
  })

/** The trucks on shifts of running campaigns, asked for again and again while the page is looked at. */
export function useCampaignTrucks(shown: readonly Campaign[] | undefined): readonly CampaignTruck[] | undefined {
  const program = (shown ?? []).filter(({ phase }) => phase === 'running').map(({ uid }) => uid)
  const found = useQuery({
    enabled: program.length > 0,
    queryKey: keyOf(campaigns.trucks, { program }),
    queryFn: async ({ signal }) => (await call(campaigns.trucks, { query: { program } }, { signal })).data,
    refetchInterval: TRUCKS_MS,
    placeholderData: keepPreviousData,
  })
  return found.data
}
