import { Select } from 'antd'
import type { ListOf } from '../../api/useList.ts'
import type { Column } from './columns.ts'
import { sortsOf } from './columns.ts'

interface SortSelectProps<Row> {
  list: ListOf<Row>
  columns: readonly Column<Row>[]
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

/** Sorting where there are no headers to press: on phones. */
export function SortSelect<Row>({ list, columns, sort, onSort }: SortSelectProps<Row>) {
  const sorts = sortsOf(list)
  const orders = columns
    .filter(({ key }) => sorts.includes(key))
    .flatMap(({ key, title }) => [
      { value: key, label: `${title} ↑` },
      { value: `-${key}`, label: `${title} ↓` },
    ])
  return (
    <Select
      aria-label="Sort by"
      placeholder="Sort by"
      allowClear
      popupMatchSelectWidth={false}
      value={sort ?? null}
      options={orders}
      onChange={(chosen: string | undefined) => onSort(chosen)}
    />
  )
}
