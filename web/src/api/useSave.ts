import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { recordsOf } from './queryClient.ts'

// One record and its history are fetched by the drawer that opens them; those of a deleted one would only answer 404.
const isOfMany = ({ queryKey }: { queryKey: readonly unknown[] }) => !String(queryKey[1]).includes('{uid}')

/** Fetches every list of an endpoint's records again. */
export const refreshLists = (queries: QueryClient, endpoint: Pick<Endpoint, 'path'>): Promise<void> =>
  queries.invalidateQueries({ queryKey: [recordsOf(endpoint)], predicate: isOfMany })

/** A call that changes something. After it succeeds, every list of its records is fetched again. */
export function useSave<E extends Endpoint>(endpoint: E, options: { idempotencyKey?: string } = {}) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<E>) => call(endpoint, input, options),
    onSuccess: () => void refreshLists(queries, endpoint),
  })
}
