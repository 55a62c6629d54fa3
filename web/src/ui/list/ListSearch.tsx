import { SearchBox } from './SearchBox.tsx'
import type { UrlSearch } from '../useListState.ts'

interface ListSearchProps {
  /** What several rows are called: `trucks`. */
  noun: string
  query: UrlSearch
  ask: (changes: UrlSearch, replace?: boolean) => void
}

/** The search of a list, which lives in the address. */
export const ListSearch = ({ noun, query, ask }: ListSearchProps) => (
  <SearchBox
    label={`Search ${noun}`}
    value={String(query.search ?? '')}
    // The first search is a step of its own for Back; refining it is not.
    onChange={(text) => ask({ search: text || undefined }, query.search !== undefined)}
  />
)
