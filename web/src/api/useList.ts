import type { Page } from '@roadshow/contract/platform/common'
import type * as z from '@roadshow/contract/platform/zod'
import { useReply } from './useCall.ts'
import type { Read } from './useCall.ts'

/** A call that answers a page of rows. */
export interface ListOf<Row> extends Read {
  query: z.ZodObject
  reply: z.ZodType<unknown, Page<Row>>
}

/** One page of a list, kept current. The old page stays on the screen while the next one loads. */
export const useList = <Row>(list: ListOf<Row>, query: Record<string, unknown>, enabled = true) =>
  useReply(list, { query }, { enabled, keepsOld: true })
