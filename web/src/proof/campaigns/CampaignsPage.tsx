import { programs } from '@roadshow/contract/catalog/programs'
import { clients } from '@roadshow/contract/catalog/clients'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { campaignPhaseLabel, campaigns } from '@roadshow/contract/proof/campaigns'
import { campaignLinks } from '@roadshow/contract/proof/campaign-links'
import { useIsOutsider, useMay } from '../../api/user.ts'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { ListToolbar, NoMatch } from '../../ui/list/ListToolbar.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { Stack } from '../../ui/layout.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { useListFilters } from '../../ui/list/useListFilters.ts'
import { useIsPhone } from '../../ui/useMedia.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { CampaignCard } from './CampaignCard.tsx'
import { CampaignRow } from './CampaignRow.tsx'
import { useCampaigns, useCampaignTrucks } from './useCampaigns.ts'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const LinksDrawer = lazyOverlay(() => import('./links/LinksDrawer.tsx'))

const NOUNS = ['campaign', 'campaigns'] as const
const phaseFilter: Filter = { key: 'phase', label: 'Phase', words: campaignPhaseLabel }
const clientFilter: Filter = { key: 'client', label: 'Client', lookup: clientLookup }

/** Each campaign as its client follows it. */
export default function CampaignsPage() {
  const isOutside = useIsOutsider()
  const mayFindClients = useMay(clients.list)
  const filters = !isOutside && mayFindClients ? [phaseFilter, clientFilter] : [phaseFilter]
  const narrowing = useListFilters(campaigns.list, filters)
  const { query, ask, isNarrowed, clear } = narrowing
  const found = useCampaigns(query)
  const rows = found.data?.data
  const trucks = useCampaignTrucks(rows)
  const [shared, share] = useSearchParam('links')
  const mayShare = useMay(campaignLinks.list)
  // Several on a phone would be a screen each.
  const phone = useIsPhone()
  const isRows = phone && (rows?.length ?? 0) > 1
  const Card = isRows ? CampaignRow : CampaignCard
  const hasToolbar = isNarrowed || !isOutside || (found.data?.total ?? 0) > 3
  return (
    <Stack gap={isRows ? 2 : 6}>
      {hasToolbar && (
        <div data-print="no">
          <ListToolbar nouns={NOUNS} filters={filters} narrowing={narrowing}>
            {null}
          </ListToolbar>
        </div>
      )}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={9} />}
      {rows?.length === 0 &&
        (isNarrowed ? (
          <NoMatch nouns={NOUNS} onClear={clear} />
        ) : (
          <EmptyState
            next={{ label: 'Open client programs', needs: programs.create, to: '/client-programs', search: {} }}
          >
            {isOutside
              ? 'No campaigns yet. Your trucks, photos and figures appear here as soon as one is planned.'
              : 'No campaigns yet. A program appears here, as its client sees it, as soon as it is no draft.'}
          </EmptyState>
        ))}
      {rows?.map((campaign) => (
        <Card
          key={campaign.uid}
          campaign={campaign}
          trucks={trucks?.filter(({ programUid }) => programUid === campaign.uid)}
          onShare={mayShare ? () => share(campaign.uid) : undefined}
        />
      ))}
      <Pager
        page={Number(query.page ?? 1)}
        perPage={Number(query.pageSize ?? PAGE_SIZE)}
        total={found.data?.total ?? 0}
        onChange={(page) => ask({ page: String(page) })}
      />
      {mayShare && shared !== undefined && (
        <LinksDrawer
          programUid={shared}
          name={rows?.find(({ uid }) => uid === shared)?.name}
          onClose={() => share(undefined)}
        />
      )}
    </Stack>
  )
}
