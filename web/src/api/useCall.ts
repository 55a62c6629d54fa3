import type { Endpoint, InputOf, ReplyOf } from '@roadshow/contract/platform/endpoint'
import type { Asked, Subject } from '@roadshow/contract/platform/follows'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Query, UseQueryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import { keyOf } from './queryClient.ts'

/** A call whose answer a page shows: it says what makes it old. */
export interface Read extends Endpoint {
  follows: readonly Subject[]
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** The call whose answer is kept current. */
      read?: { endpoint: Read; asked: Asked }
      isReportedByCaller?: true
    }
  }
}

interface Options extends Pick<
  UseQueryOptions,
  'enabled' | 'retry' | 'gcTime' | 'staleTime' | 'refetchOnMount' | 'refetchOnWindowFocus'
> {
  /** The old answer stays on the screen while another one loads. */
  keepsOld?: boolean
}

type Input<E extends Endpoint> =
  object extends InputOf<E> ? [input?: InputOf<E>, options?: Options] : [input: InputOf<E>, options?: Options]

/** The part of a query that keeps the answer of a call current by what the call follows. */
export const keptCurrent = (endpoint: Read, asked: Asked) => ({
  meta: { read: { endpoint, asked } },
  ...(endpoint.atLeastEvery !== undefined && {
    refetchInterval: ({ state: { data } }: Pick<Query, 'state'>) => {
      const [{ atLeastEvery }, reply] = [endpoint, data as { data: never } | undefined]
      const seconds = typeof atLeastEvery === 'function' ? reply && atLeastEvery(reply.data, asked) : atLeastEvery
      return seconds !== undefined && seconds * 1000
    },
  }),
})

/** The options of a query that holds the answer of a call. */
function currentReply<E extends Read>(endpoint: E, [input, { keepsOld, ...options } = {}]: Input<E>) {
  const asked = (input ?? {}) as InputOf<E>
  return {
    queryKey: keyOf(endpoint, asked),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(endpoint, asked, { signal }),
    ...keptCurrent(endpoint, asked),
    ...(keepsOld && { placeholderData: keepPreviousData }),
    ...options,
  } as UseQueryOptions<ReplyOf<E>>
}

/** The answer of a call, kept current. */
export const useReply = <E extends Read>(endpoint: E, ...input: Input<E>) =>
  useQuery<ReplyOf<E>>(currentReply(endpoint, input))

type DataOf<Reply> = Reply extends { data: infer Data } ? Data : never
type Selecting<Reply> = UseQueryOptions<Reply, Error, DataOf<Reply>>
const dataOf = <Reply>(reply: Reply) => (reply as { data: DataOf<Reply> }).data

/** The data of a call, kept current. */
export const useCall = <E extends Read>(endpoint: E, ...input: Input<E>) =>
  useQuery({ ...currentReply(endpoint, input), select: dataOf<ReplyOf<E>> } as Selecting<ReplyOf<E>>)
