import { formatCount } from '@roadshow/contract/platform/figures'
import { MAX_PAGE_SIZE, PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { ReactNode } from 'react'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { ListToolbar, NoMatch } from '../../ui/list/ListToolbar.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { SortSelect } from '../../ui/rows/SortSelect.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useListFilters } from '../../ui/list/useListFilters.ts'
import type { ClassicTableProps } from './ClassicRow.tsx'
import { ClassicTable } from './ClassicTable.tsx'
import type { ClassicColumn } from './columns.ts'
import { useAll } from './useAll.ts'
import shared from '../oldPages.module.css'

type Listed<Row> = Pick<ClassicTableProps<Row>, 'rows' | 'reload'>

interface ClassicListProps<Row> extends Omit<ClassicTableProps<Row>, keyof Listed<Row> | 'lines' | 'isInner'> {
  nouns: readonly [one: string, several: string]
  list: ListOf<Row>
  /** By which of the list's orders it can be sorted, in their words. */
  sorts?: Pick<ClassicColumn<Row>, 'key' | 'label'>[]
  filters?: readonly Filter[]
  perPage?: number
  empty: string
  /** Fetches every row and puts them in this order, where groups must not be torn apart by pages. */
  arrange?: (rows: readonly Row[]) => Row[]
  /** Content beside the table, such as an open drawer. */
  children?: (listed: Listed<Row>) => ReactNode
}

/**
 * A classic screen over a list: search, filters, order and page in the address, and a table of as many rows as there is
 * room for.
 */
export function ClassicList<Row>(screen: ClassicListProps<Row>) {
  const { nouns, list, sorts = [], filters = [], perPage = MAX_PAGE_SIZE, arrange, empty, children, ...table } = screen
  const narrowing = useListFilters(list, filters)
  const { query, ask, isNarrowed, clear } = narrowing
  const { page: at = '1', ...unpaged } = query
  const page = Number(at)
  const asked = { ...query, pageSize: String(perPage) }
  const ofPage = useList(list, asked, !arrange)
  const whole = useAll(list, unpaged, arrange !== undefined)
  const found = arrange ? whole : ofPage
  const arranged = whole.data && arrange?.(whole.data)
  const rows = arrange ? arranged?.slice((page - 1) * perPage, page * perPage) : ofPage.data?.data
  const total = (arrange ? whole.data?.length : ofPage.data?.total) ?? 0
  const reload = async () => {
    const { data, error } = arrange ? await whole.refetch() : await ofPage.refetch()
    if (error) throw error
    return Array.isArray(data) ? data : (data?.data ?? [])
  }
  // Where lines are added, there is one to fill in also where there are no rows.
  const hasNone = rows?.length === 0 && (table.addWord === undefined || isNarrowed)
  return (
    <>
      <div data-print="no">
        <ListToolbar nouns={nouns} filters={filters} narrowing={narrowing}>
          {sorts.length > 0 && (
            <SortSelect
              list={list}
              columns={sorts.map(({ key, label }) => ({ key, title: label, render: () => null }))}
              sort={query.sort === undefined ? undefined : String(query.sort)}
              onSort={(sort) => ask({ sort })}
            />
          )}
          {'format' in list.query.shape && <ExportMenu list={list} query={query} />}
        </ListToolbar>
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {hasNone && isNarrowed && <NoMatch nouns={nouns} onClear={clear} />}
      {hasNone && !isNarrowed && <EmptyState>{empty}</EmptyState>}
      {!hasNone && (rows || !found.isError) && (
        <>
          {/* Other rows get another table: edits belong to their rows. */}
          <ClassicTable key={JSON.stringify(asked)} {...table} rows={rows} reload={reload} />
          {children?.({ rows, reload })}
        </>
      )}
      <div className={shared.footer}>
        <span role="status" className="figures">
          {total > 0 && `${formatCount(total)} ${total === 1 ? nouns[0] : nouns[1]}`}
          {total > PAGE_SIZE && `, up to ${perPage} on a page so that whole columns can be compared and pasted`}
        </span>
        <Pager
          page={page}
          perPage={perPage}
          total={total}
          onChange={(next) => ask({ page: next === 1 ? undefined : String(next) })}
        />
      </div>
    </>
  )
}
