import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { useRowsPerPage } from '../../api/preferences.ts'
import type { ListOf } from '../../api/useList.ts'
import type { Filter } from './FilterChips.tsx'
import { useListState } from '../useListState.ts'

/** The state of a list, whether search or filters leave anything of it out, and the way back to all of it. */
export function useListFilters<Row>(list: ListOf<Row>, filters: readonly Filter[]) {
  const state = useListState(list)
  const names = ['search', ...filters.map(({ key }) => key)]
  const rows = useRowsPerPage()
  return {
    ...state,
    // The server's own number of rows needs no mention.
    query: rows === PAGE_SIZE ? state.query : { pageSize: String(rows), ...state.query },
    isNarrowed: names.some((name) => state.query[name] !== undefined),
    clear: () => state.ask(Object.fromEntries(names.map((name) => [name, undefined]))),
  }
}
