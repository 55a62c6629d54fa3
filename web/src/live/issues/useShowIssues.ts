import { useNavigate } from '@tanstack/react-router'
import type { UrlSearch } from '../../ui/useListState.ts'

/** Shows the list of issues below, narrowed by these filters. */
export function useShowIssues(): (filters: UrlSearch) => void {
  const navigate = useNavigate()
  return (filters) => {
    void navigate({ to: '.', search: ({ live }: UrlSearch) => ({ live, ...filters }), resetScroll: false })
    document.getElementById('truck-issues')?.scrollIntoView({ block: 'start' })
  }
}
