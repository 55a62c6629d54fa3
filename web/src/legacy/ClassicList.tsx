import { MAX_PAGE_SIZE } from '@roadshow/contract/constants'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useList } from '../api/useList.ts'
import type { ListOf } from '../api/useList.ts'
import { ExportMenu } from '../ui/ExportMenu.tsx'
import { FilterChips } from '../ui/FilterChips.tsx'
import type { Filter } from '../ui/FilterChips.tsx'
import { Pages } from '../ui/Pages.tsx'
import { SearchBox } from '../ui/SearchBox.tsx'
import { SortSelect } from '../ui/SortSelect.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useListState } from '../ui/useListState.ts'
import type { ClassicColumn } from './columns.ts'
import { useAll } from './useAll.ts'
import styles from './oldPages.module.css'

interface Listed<Row> {
  /** Undefined while they are on their way. */
  rows: readonly Row[] | undefined
  reload: () => Promise<readonly Row[]>
  /** Another one for other rows: what was typed belongs to those it was typed into. */
  key: string
}

interface ClassicListProps<Row> {
  nouns: readonly [one: string, several: string]
  list: ListOf<Row>
  /** By which of the list's orders it can be sorted, in their words. */
  sorts?: Pick<ClassicColumn<Row>, 'key' | 'label'>[]
  filters?: readonly Filter[]
  perPage?: number
  empty: string
  /** Fetches every row and puts them in this order, where groups must not be torn apart by pages. */
  arrange?: (rows: readonly Row[]) => Row[]
  /** There is something to see also where there are no rows, such as a line to fill in. */
  isOpen?: boolean
  children: (listed: Listed<Row>) => ReactNode
}

/** A classic screen over a list: search, filters, order and page in the address, and as many rows as there is room for. */
export function ClassicList<Row>(screen: ClassicListProps<Row>) {
  const {
    nouns,
    list,
    sorts = [],
    filters = [],
    perPage = MAX_PAGE_SIZE,
    arrange,
    empty,
    isOpen = false,
    children,
  } = screen
  const { query, ask } = useListState(list)
  const { page: at = '1', ...narrowed } = query
  const page = Number(at)
  const asked = { ...query, pageSize: String(perPage) }
  const ofPage = useList(list, asked, !arrange)
  const whole = useAll(list, narrowed, arrange !== undefined)
  const found = arrange ? whole : ofPage
  const arranged = whole.data && arrange?.(whole.data)
  const rows = arrange ? arranged?.slice((page - 1) * perPage, page * perPage) : ofPage.data?.data
  const total = (arrange ? whole.data?.length : ofPage.data?.total) ?? 0
  const reload = async () => {
    const { data, error } = arrange ? await whole.refetch() : await ofPage.refetch()
    if (error) throw error
    return Array.isArray(data) ? data : (data?.data ?? [])
  }
  const names = ['search', ...filters.map(({ key }) => key)]
  const isNarrowed = names.some((name) => query[name] !== undefined)
  const clear = () => ask(Object.fromEntries(names.map((name) => [name, undefined])))
  const hasNone = rows?.length === 0 && (!isOpen || isNarrowed)
  return (
    <>
      <div className={styles.tools} role="search">
        <div className={styles.search}>
          <SearchBox
            label={`Search ${nouns[1]}`}
            value={String(query.search ?? '')}
            onChange={(text) => ask({ search: text || undefined }, query.search !== undefined)}
          />
        </div>
        <FilterChips filters={filters} given={query} onChange={ask} />
        {sorts.length > 0 && (
          <SortSelect
            list={list}
            columns={sorts.map(({ key, label }) => ({ key, title: label, render: () => null }))}
            sort={query.sort === undefined ? undefined : String(query.sort)}
            onSort={(sort) => ask({ sort })}
          />
        )}
        {isNarrowed && (
          <Button type="link" size="small" onClick={clear}>
            Clear
          </Button>
        )}
        <span className={styles.space} />
        {'format' in list.query.shape && <ExportMenu list={list} query={query} />}
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {hasNone && (
        <EmptyState {...(isNarrowed && { action: <Button onClick={clear}>Clear search and filters</Button> })}>
          {isNarrowed ? `No ${nouns[0]} matches.` : empty}
        </EmptyState>
      )}
      {!hasNone && (rows || !found.isError) && children({ rows, reload, key: JSON.stringify(asked) })}
      <div className={styles.footer}>
        <span role="status" className="figures">
          {total > 0 && `${total.toLocaleString('en-US')} ${total === 1 ? nouns[0] : nouns[1]}`}
        </span>
        <Pages
          page={page}
          perPage={perPage}
          total={total}
          onChange={(next) => ask({ page: next === 1 ? undefined : String(next) })}
        />
      </div>
    </>
  )
}
