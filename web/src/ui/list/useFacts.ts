import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import { useReply } from '../../api/useCall.ts'
import type { Read } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import type { WithFacts } from '../rows/columns.ts'

/** What a list answers beside its records: a call, and the name under which it takes their uids. */
export interface FactsCall {
  call: Read
  of: string
}

/** The rows of a page with their facts, which arrive after them. Users who may not make the call see the records alone. */
export function useFacts<Row extends Keyed, Facts>(
  rows: Row[] | undefined,
  facts: FactsCall | undefined,
  list: Read,
): WithFacts<Row, Facts>[] | undefined {
  const may = useMay(facts?.call)
  const uids = rows?.map(uidOf) ?? []
  const asked = { query: { [facts?.of ?? '']: uids } } as object
  const found = useReply(facts?.call ?? list, asked as never, { enabled: may && uids.length > 0, keepsOld: true })
  const known = facts && (found.data as { data: (Facts & { uid: string })[] } | undefined)?.data
  const factsOf = new Map(known?.map((each) => [each.uid, each]))
  return rows?.map((row) => ({ ...row, facts: factsOf.get(uidOf(row)) }))
}
