import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { feeds } from '@roadshow/contract/outreach/feeds'
import { rotations } from '@roadshow/contract/planning/rotations'
import { salesProposals } from '@roadshow/contract/outreach/proposals'
import { shifts } from '@roadshow/contract/planning/shifts'
import { delivery } from '@roadshow/contract/proof/delivery'
import { pops } from '@roadshow/contract/proof/pop'
import { addressSetColumns } from '../../catalog/addresses/addressSetColumns.tsx'
import { artworkColumns } from '../../catalog/artwork/artworkColumns.tsx'
import { FeedsTab } from '../../outreach/feeds/FeedsTab.tsx'
import { ProposalsTab } from '../../outreach/proposals/ProposalsTab.tsx'
import { RotationTab } from '../../planning/rotation/RotationTab.tsx'
import { ShiftsTab } from '../../planning/shifts/user-schedule/ShiftsTab.tsx'
import { DeliveryTab } from '../../proof/delivery/DeliveryTab.tsx'
import { PopTab } from '../../proof/pop/PopTab.tsx'
import { RelatedRows } from '../../ui/record/RelatedRows.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

type Props = SlotProps['programTabs']

const SAME_FOR_ALL = ['program', 'client']

const ArtworkTab = ({ record }: Props) => (
  <RelatedRows
    screen={['/artworks', 'Artworks']}
    list={artworkSets.list}
    query={{ program: record.uid }}
    columns={artworkColumns}
    without={SAME_FOR_ALL}
    empty="This program has no artwork yet."
    create={{ call: artworkSets.create, label: 'New artwork set' }}
  />
)

const AddressesTab = ({ record }: Props) => (
  <RelatedRows
    screen={['/gps-addresses', 'SD Addresses']}
    list={addresses.list}
    query={{ program: record.uid }}
    columns={addressSetColumns}
    without={SAME_FOR_ALL}
    empty="This program has no addresses yet."
    create={{ call: addresses.create, label: 'New address set' }}
  />
)

/** The tabs of a program's drawer that belong to other domains. */
const programTabs: readonly SlotPart<Props>[] = [
  { key: 'artwork', label: 'Artwork', needs: artworkSets.list, Content: ArtworkTab },
  {
    key: 'rotation',
    label: 'Rotation',
    needs: rotations.get,
    Content: ({ record }) => <RotationTab program={record} />,
  },
  { key: 'addresses', label: 'SD addresses', needs: addresses.list, Content: AddressesTab },
  {
    key: 'proposals',
    label: 'Proposals',
    needs: salesProposals.list,
    Content: ({ record }) => <ProposalsTab program={record} />,
  },
  {
    key: 'shifts',
    label: 'Shifts',
    needs: shifts.list,
    Content: ({ record }) => <ShiftsTab of={{ program: record.uid }} without={SAME_FOR_ALL} />,
  },
  {
    key: 'delivery',
    label: 'Delivery',
    needs: delivery.program,
    Content: ({ record }) => <DeliveryTab program={record.uid} />,
  },
  { key: 'pop', label: 'POP', needs: pops.get, Content: ({ record }) => <PopTab program={record.uid} /> },
  {
    key: 'feeds',
    label: 'Feeds',
    needs: feeds.playLines,
    Content: ({ record }) => <FeedsTab program={record.uid} />,
  },
]

export default programTabs
