import type { Endpoint, InputOf } from '@roadshow/contract/platform/endpoint'
import type { Asked } from '@roadshow/contract/platform/follows'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './call.ts'
import { createIdempotencyKeys } from './idempotency-keys.ts'
import { refreshAfter } from './live.ts'

/** Asks again for everything that a call has made old, for callers that do not save by one of the hooks below. */
export function useRefreshAfter(endpoint: Pick<Endpoint, 'path'>) {
  const queries = useQueryClient()
  return (afterMs?: number) => refreshAfter(queries, endpoint, {}, afterMs)
}

/** A call that changes something. After it succeeds, everything that follows it is asked for again. */
export function useSave<E extends Endpoint>(endpoint: E) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: InputOf<E>) => call(endpoint, input),
    onSuccess: (_, input) => refreshAfter(queries, endpoint, input as Asked),
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
    onSuccess: (_, input) => refreshAfter(queries, endpoint, input as Asked),
  })
}
