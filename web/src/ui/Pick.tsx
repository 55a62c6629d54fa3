import { MAX_PAGE_SIZE } from '@roadshow/contract/constants'
import { Select } from 'antd'
import type { SelectProps } from 'antd'
import { useDeferredValue, useState } from 'react'
import { sentenceOf } from '../api/call.ts'
import { useList } from '../api/useList.ts'
import type { ListOf } from '../api/useList.ts'

/** Records to choose from: where they come from and how one is called. */
export interface Lookup<Row extends { uid: string } = { uid: string }> {
  list: ListOf<Row>
  sort: string
  nameOf(row: Row): string
}

interface PickProps<Value> extends Omit<SelectProps<Value>, 'options' | 'showSearch' | 'loading' | 'notFoundContent'> {
  lookup: Lookup
  /** The record chosen already, so that its name shows before the others are loaded. */
  current?: { uid: string; name: string } | null | undefined
}

/** Chooses a record of another list, found by typing a part of it. */
export function Pick<Value = string>({ lookup, current, ...select }: PickProps<Value>) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const found = useList(lookup.list, {
    pageSize: String(MAX_PAGE_SIZE),
    sort: lookup.sort,
    ...(search && { search }),
  })
  const options = (found.data?.data ?? []).map((row) => ({ value: row.uid, label: lookup.nameOf(row) }))
  if (current && !search && !options.some((option) => option.value === current.uid)) {
    options.unshift({ value: current.uid, label: current.name })
  }
  const nothing = found.isError ? sentenceOf(found.error) : found.isPending ? 'Loading…' : 'Nothing matches.'
  return (
    <Select<Value>
      allowClear
      {...select}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      loading={found.isFetching}
      notFoundContent={nothing}
    />
  )
}
