import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { Select } from 'antd'
import type { SelectProps } from 'antd'
import { useDeferredValue, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { isFound } from '../text/isFound.ts'

/** Records to choose from: where they come from and how one is called. */
export interface Lookup<Row extends Keyed = Keyed> {
  list: ListOf<Row>
  sort: string
  nameOf(row: Row): string
  /** What narrows the list beside what is typed, such as to the markets of one program. */
  given?: Record<string, string>
  /** Where one of them opens: a screen with its drawer, or a drawer that opens beside any screen. */
  opensIn?: { path: string } | { param: string }
}

interface PickProps<Value> extends Omit<SelectProps<Value>, 'options' | 'showSearch' | 'loading' | 'notFoundContent'> {
  lookup: Lookup
  /** The record chosen already, so that its name shows before the others are loaded. */
  current?: { uid: string; name: string } | null | undefined
}

/** Chooses a record of another list, found by typing a part of it. */
export function RecordSelect<Value = string>({ lookup, current, ...select }: PickProps<Value>) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const found = useList(lookup.list, {
    pageSize: String(MAX_PAGE_SIZE),
    sort: lookup.sort,
    ...lookup.given,
    ...(search && { search }),
  })
  const optionOf = (row: Keyed) => ({ value: uidOf(row), label: lookup.nameOf(row) })
  // Until the answer is there, what stands there already is narrowed down: so no record moves from under the pointer.
  const all = (found.data?.data ?? []).map(optionOf)
  const options = found.isPlaceholderData ? all.filter(({ label }) => isFound(label, search)) : all
  const isListed = (uid: string) => options.some((option) => option.value === uid)
  if (current && !search && !isListed(current.uid)) options.unshift({ value: current.uid, label: current.name })
  // What is chosen already may stand beyond the first page, in a link for one: its name is asked for.
  const unknown = [select.value ?? []]
    .flat()
    .map(String)
    .filter((uid) => uid && !isListed(uid))
  const mayAsk = found.isSuccess && !search && unknown.length > 0 && 'uid' in lookup.list.query.shape
  const named = useList(lookup.list, { pageSize: String(MAX_PAGE_SIZE), ...lookup.given, uid: unknown }, mayAsk)
  if (mayAsk) options.unshift(...(named.data?.data ?? []).map(optionOf))
  const nothing = found.isError
    ? errorMessage(found.error)
    : found.isPending || found.isPlaceholderData
      ? 'Loading…'
      : 'No matches.'
  return (
    <Select<Value>
      allowClear
      {...select}
      // A form's empty text is no choice.
      value={select.value === '' || select.value === undefined ? null : select.value}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      loading={found.isFetching}
      notFoundContent={nothing}
    />
  )
}
