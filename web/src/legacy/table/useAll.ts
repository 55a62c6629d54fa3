import type { Keyed } from '@roadshow/contract/platform/common'
import { uidOf } from '@roadshow/contract/platform/common'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { keptCurrent } from '../../api/useCall.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import type { Choice, CellEdit } from './columns.ts'

/** Fetches every row of a list, however many pages it has. */
export async function allOf<Row>(
  list: ListOf<Row>,
  query: Record<string, unknown>,
  signal?: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const asked = { ...query, page: String(page), pageSize: String(MAX_PAGE_SIZE) }
    const { data, total } = await call(list, { query: asked }, { ...(signal && { signal }) })
    rows.push(...data)
    if (data.length === 0 || rows.length >= total) return rows
  }
}

/** Every row of a list, however many pages it has. */
export const useAll = <Row>(list: ListOf<Row>, query: Record<string, unknown>, enabled = true) =>
  useQuery({
    enabled,
    queryKey: [...keyOf(list, { query }), 'all'],
    ...keptCurrent(list, { query }),
    queryFn: ({ signal }) => allOf(list, query, signal),
  })

/** The records of a lookup as choices of a cell; undefined if the user may not list them. */
export function useChoices<Row extends Keyed & { name: string }>(
  lookup: Lookup<Row>,
  noun: string,
  isOptional = false,
): CellEdit | undefined {
  const may = useMay(lookup.list)
  const { data } = useAll(lookup.list, { sort: lookup.sort }, may)
  return useMemo(() => {
    if (!data) return undefined
    const choices = data.map((row): Choice => ({ value: uidOf(row), label: lookup.nameOf(row), also: [row.name] }))
    return { kind: 'choice', choices, noun, ...(isOptional && { isOptional: true }) }
  }, [data, lookup, noun, isOptional])
}

/** Words as something to choose in a cell. */
export const fewOf = (words: Record<string, string>, noun: string): Extract<CellEdit, { kind: 'choice' }> => ({
  kind: 'choice',
  noun,
  areFew: true,
  choices: Object.entries(words).map(([value, label]) => ({ value, label, also: [value] })),
})
