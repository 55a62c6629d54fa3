import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { recordsOf } from '../../api/queryClient.ts'

// Several saves in a row refresh the preview once.
const PAUSE_MS = 600

const PREVIEW = pops.preview.path

/** Refetches everything about POPs; the preview, the costliest query, after a pause without changes. */
function refreshPops(queries: QueryClient): void {
  const ofPops = { queryKey: [recordsOf(pops.get)] }
  void queries.invalidateQueries({ ...ofPops, predicate: ({ queryKey }) => queryKey[1] !== PREVIEW })
  clearTimeout(previewing)
  previewing = setTimeout(() => void queries.invalidateQueries({ queryKey: [...ofPops.queryKey, PREVIEW] }), PAUSE_MS)
}
let previewing: ReturnType<typeof setTimeout> | undefined

/** Refreshes POPs after a change, and the list of the changing endpoint if it is another. */
export function useRefreshPops(changedBy: Pick<Endpoint, 'path'>): () => void {
  const queries = useQueryClient()
  const records = recordsOf(changedBy)
  return () => {
    refreshPops(queries)
    if (records !== recordsOf(pops.get)) void queries.invalidateQueries({ queryKey: [records] })
  }
}

/** A call that changes a POP or its photos: the opened POP and its preview follow, as lists do. */
export function useSavePop<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<E>) => call(endpoint, input),
    onSuccess: () => refreshPops(queries),
  })
}
