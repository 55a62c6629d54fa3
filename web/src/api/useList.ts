import type { Page } from '@roadshow/contract/platform/common'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type * as z from '@roadshow/contract/platform/zod'
import { call } from './call.ts'
import { keyOf } from './queryClient.ts'

/** A call that answers a page of rows. */
export interface ListOf<Row> extends Endpoint {
  query: z.ZodObject
  reply: z.ZodType<unknown, Page<Row>>
}

/** One page of a list. The old page stays on the screen while the next one loads. */
export const useList = <Row>(list: ListOf<Row>, query: Record<string, unknown>, enabled = true) =>
  useQuery({
    enabled,
    queryKey: keyOf(list, query),
    queryFn: ({ signal }) => call(list, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
