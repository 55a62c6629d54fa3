import { marketLookup } from '../../catalog/lookups/marketLookup.ts'
import { FilterChips } from '../../ui/list/FilterChips.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'

interface MarketFilterProps {
  given: UrlSearch
  onChange: (changes: UrlSearch) => void
}

/** It opens right away, because it appears on request. */
export default function MarketFilter({ given, onChange }: MarketFilterProps) {
  return (
    <FilterChips
      filters={[{ key: 'market', label: 'Market', lookup: marketLookup }]}
      given={given}
      onChange={onChange}
      opens
    />
  )
}
