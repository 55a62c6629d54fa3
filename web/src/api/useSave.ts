import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './call.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { recordsOf } from './queryClient.ts'

// One record and its history are fetched by the drawer that opens them; those of a deleted one would only answer 404.
const isOfMany = ({ queryKey }: { queryKey: readonly unknown[] }) => !String(queryKey[1]).includes('{uid}')

/** Fetches every list of an endpoint's records again. */
export const refreshLists = (queries: QueryClient, endpoint: Pick<Endpoint, 'path'>): Promise<void> =>
  queries.invalidateQueries({ queryKey: [recordsOf(endpoint)], predicate: isOfMany })

/** A call that changes something. After it succeeds, every list of its records is fetched again. */
export function useSave<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<E>) => call(endpoint, input),
    onSuccess: () => void refreshLists(queries, endpoint),
  })
}

/** A call that adds something. Sent again after its answer was lost, the same input is added once. */
export function useSaveOnce<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient()
  const [keys] = useState(createIdempotencyKeys)
  return useMutation({
    mutationFn: async (input: InputOf<E>) => {
      const answer = await call(endpoint, input, { idempotencyKey: keys.keyFor(input) })
      keys.forget()
      return answer
    },
    onSuccess: () => void refreshLists(queries, endpoint),
  })
}
