import { formatCount } from '@roadshow/contract/platform/figures'
import type { AddressSetRow } from '@roadshow/contract/catalog/addresses'
import { clientLookup } from '../lookups/clientLookup.ts'
import { programLookup } from '../lookups/programLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'

export const addressSetColumns: Column<AddressSetRow>[] = [
  { key: 'name', title: 'Name', render: (set) => set.name },
  { key: 'program', title: 'Program', width: 220, render: (set) => set.program.name },
  { key: 'client', title: 'Client', width: 180, render: (set) => set.client.name },
  {
    key: 'addressCount',
    title: 'Addresses',
    width: 100,
    align: 'right',
    render: (set) => formatCount(set.addressCount),
  },
  {
    key: 'approximateCount',
    title: 'Located',
    width: 150,
    render: ({ addressCount, approximateCount }) =>
      approximateCount > 0 ? (
        <StateTag tone="warn">{`${formatCount(approximateCount)} approximate`}</StateTag>
      ) : addressCount > 0 ? (
        <StateTag tone="driving">Exact</StateTag>
      ) : (
        ''
      ),
  },
]

export const addressSetFilters: Filter[] = [
  { key: 'program', label: 'Program', lookup: programLookup },
  { key: 'client', label: 'Client', lookup: clientLookup },
]
