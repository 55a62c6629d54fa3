import { uid } from '@roadshow/contract/platform/common'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type * as z from '@roadshow/contract/platform/zod'
import type { ListOf } from '../api/useList.ts'

export type UrlSearch = Record<string, string | string[] | undefined>

/** The one value of a filter, which a new record starts with; empty for none or several. */
export const singleValue = (given: UrlSearch[string]): string => {
  const [first = '', ...others] = [given ?? []].flat()
  return others.length === 0 ? first : ''
}

/** `?open=new` opens an empty form, `?open=<uid>` that record's. */
export const NEW_RECORD = 'new'

/** What of an address the list understands. The rest is ignored: an old or mistyped link still shows the list. */
export function validSearch(query: z.ZodObject, search: UrlSearch): UrlSearch {
  const isRight = ([name, value]: [string, UrlSearch[string]]) =>
    !['format', 'timeZone'].includes(name) && query.shape[name]?.safeParse(value).success === true
  return Object.fromEntries(Object.entries(search).filter(isRight))
}

const openOf = ({ open }: UrlSearch) => (open === NEW_RECORD || uid.safeParse(open).success ? String(open) : undefined)

/** The state of a list, which lives in the address: a link shows the same rows, and Back goes back. */
export function useListState<Row>(list: ListOf<Row>) {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (changes: UrlSearch, replace = false) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, ...changes }), replace, resetScroll: false })
  return {
    query: validSearch(list.query, search),
    open: openOf(search),
    /** Changes what is asked for, and so begins at the first page again. */
    ask: (changes: UrlSearch, replace?: boolean) => go({ page: undefined, ...changes }, replace),
    /** Opens a record or the empty form; nothing closes it. */
    show: (record: string | undefined) => go({ open: record, tab: undefined, choose: undefined }),
  }
}
