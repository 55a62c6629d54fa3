import { formatCount } from '@roadshow/contract/platform/figures'
import type { Keyed } from '@roadshow/contract/platform/common'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { Button, Pagination } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import type { Column, WithFacts } from '../rows/columns.ts'
import type { Filter } from './FilterChips.tsx'
import { ExportMenu } from './ExportMenu.tsx'
import { ImportButton } from './ImportButton.tsx'
import { ListToolbar, NoMatch } from './ListToolbar.tsx'
import { lazyOverlay } from '../lazyPart.tsx'
import { RecordDrawer } from '../record/RecordDrawer.tsx'
import type { RecordFormProps } from '../record/RecordDrawer.tsx'
import { RowCards } from '../rows/RowCards.tsx'
import { RowTable } from '../rows/RowTable.tsx'
import { SortSelect } from '../rows/SortSelect.tsx'
import { EmptyState } from '../EmptyState.tsx'
import type { ImportKind, StepElsewhere } from '../EmptyState.tsx'
import { ErrorState } from '../states.tsx'
import { RowsSelect } from './RowsSelect.tsx'
import { NEW_RECORD } from '../useListState.ts'
import type { UrlSearch } from '../useListState.ts'
import { useIsPhone } from '../useMedia.ts'
import { useColumns } from './useColumns.ts'
import { useFacts } from './useFacts.ts'
import type { FactsCall } from './useFacts.ts'
import { useListFilters } from './useListFilters.ts'
import { useRowSelection } from './useRowSelection.ts'
import type { BulkActs } from './useRowSelection.ts'
import styles from './DataTable.module.css'

const ColumnsDrawer = lazyOverlay(() => import('./ColumnsDrawer.tsx'))

interface DataTableProps<Row extends Keyed, Facts> {
  /** What one row is called, and several: `['truck', 'trucks']`. */
  nouns: readonly [one: string, several: string]
  list: ListOf<Row>
  /** What the list answers beside its records, asked for the rows of the page. */
  facts?: FactsCall
  /** What is asked for unless the address says otherwise: the order, or what is hidden at first. */
  startsWith?: (given: UrlSearch) => UrlSearch
  columns: readonly Column<WithFacts<Row, Facts>>[]
  filters?: readonly Filter[]
  /** The call that adds a row, where rows are added by hand. Users who may make it get the button. */
  create?: Endpoint
  /** The drawer of one row, loaded when the first is opened: `lazyForm(() => import('./TruckForm.tsx'))`; without, rows are only read. */
  form?: ComponentType<RecordFormProps>
  /** What the list is for, said when there is nothing yet. */
  empty: string
  /** Where its rows come from, if they are not added here. */
  next?: StepElsewhere
  /** What a spreadsheet brings in for users who may add rows. */
  imports?: ImportKind
  /** Further buttons beside those of the list. */
  actions?: ReactNode
  /** What can be done with several rows at once; with it rows can be selected. */
  bulk?: BulkActs<Row> | undefined
  /** Rows that need a person are red. */
  isError?: (row: Row) => boolean
}

/** A list screen: search, filters, sorting, paging and the open record in the address, export, and a drawer per row. */
export function DataTable<Row extends Keyed, Facts = undefined>(table: DataTableProps<Row, Facts>) {
  const { nouns, list, columns, filters = [], create, form, empty, next, actions, bulk, isError = () => false } = table
  const imports = create && table.imports && { kind: table.imports, needs: create }
  const narrowing = useListFilters(list, filters)
  const { open, ask, show, isNarrowed, clear } = narrowing
  const query = { ...table.startsWith?.(narrowing.query), ...narrowing.query }
  const found = useList(list, query)
  const mayCreate = useMay(create)
  const phone = useIsPhone()
  const { offered, shown, isChosen } = useColumns(list, columns)
  const [isChoosing, setChoosing] = useState(false)

  const { data, total = 0 } = found.data ?? {}
  const rows = useFacts<Row, Facts>(data, table.facts, list)
  const { selection, chosen, onNone } = useRowSelection<Row>(bulk, rows)
  const paging = usePaging(narrowing, total, found.isSuccess && !found.isPlaceholderData)
  const { sort: asked } = narrowing.query
  const sort = asked === undefined ? undefined : String(asked)
  const sortBy = (next: string | undefined) => ask({ sort: next })

  const hasNone = rows?.length === 0 && !paging.isPastTheEnd
  const createButton = mayCreate && (
    <Button type="primary" aria-keyshortcuts="n" onClick={() => show(NEW_RECORD)}>
      New {nouns[0]}
    </Button>
  )
  const Rows = phone ? RowCards : RowTable

  return (
    <>
      <ListToolbar nouns={nouns} filters={filters} narrowing={narrowing}>
        {phone && <SortSelect list={list} columns={columns} sort={sort} onSort={sortBy} />}
        {actions}
        {mayCreate && table.imports && <ImportButton kind={table.imports} />}
        {'format' in list.query.shape && <ExportMenu list={list} query={query} />}
        {!phone && offered.length > 2 && <Button onClick={() => setChoosing(true)}>Columns</Button>}
        {(!hasNone || isNarrowed) && createButton}
      </ListToolbar>

      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {hasNone && isNarrowed && <NoMatch nouns={nouns} onClear={clear} />}
      {hasNone && !isNarrowed && (
        <EmptyState action={createButton} next={next} imports={imports}>
          {empty}
        </EmptyState>
      )}
      {!hasNone && (rows || !found.isError) && (
        <Rows
          list={list}
          columns={shown}
          isChosen={isChosen}
          rows={rows}
          stale={found.isPlaceholderData}
          sort={sort}
          onSort={sortBy}
          isError={isError}
          label={nouns[1]}
          isPlain={form === undefined}
          selection={selection}
        />
      )}

      {bulk && chosen.length > 0 && <bulk.bar chosen={chosen} onNone={onNone} />}

      {isChoosing && (
        <ColumnsDrawer
          list={list}
          offered={offered}
          shown={shown}
          isChosen={isChosen}
          onClose={() => setChoosing(false)}
        />
      )}

      <TableFooter nouns={nouns} total={total} paging={paging} onAsk={ask} />

      {form && (
        <RecordDrawer
          form={form}
          open={open === NEW_RECORD && !mayCreate ? undefined : open}
          onClose={() => show(undefined)}
        />
      )}
    </>
  )
}

type Narrowing = ReturnType<typeof useListFilters>

/** The page in the address, and the last page there is. */
function usePaging({ query, ask }: Narrowing, total: number, isCurrent: boolean) {
  const pageSize = Number(query.pageSize ?? PAGE_SIZE)
  const page = Number(query.page ?? 1)

  // The last row of the last page was deleted, or an old link names a page that no longer exists.
  const lastPage = Math.max(1, Math.ceil(total / pageSize))
  const isPastTheEnd = isCurrent && page > lastPage
  const goToTheEnd = useEffectEvent(() => ask({ page: String(lastPage) }, true))
  useEffect(() => {
    if (isPastTheEnd) goToTheEnd()
  }, [isPastTheEnd])

  return { page: Math.min(page, lastPage), pageSize, isPastTheEnd }
}

interface TableFooterProps {
  nouns: readonly [one: string, several: string]
  total: number
  paging: { page: number; pageSize: number }
  onAsk: Narrowing['ask']
}

/** How many rows there are, and the way to the other pages. */
function TableFooter({ nouns, total, paging: { page, pageSize }, onAsk }: TableFooterProps) {
  const phone = useIsPhone()
  return (
    <div className={styles.footer}>
      <span role="status" className="figures">
        {total > 0 && `${formatCount(total)} ${total === 1 ? nouns[0] : nouns[1]}`}
      </span>
      {total > pageSize && (
        <Pagination
          current={page}
          pageSize={pageSize}
          total={total}
          size="small"
          simple={phone}
          showSizeChanger={false}
          onChange={(next) => onAsk({ page: next === 1 ? undefined : String(next) })}
        />
      )}
      {total > PAGE_SIZE && !phone && <RowsSelect onChosen={() => onAsk({ pageSize: undefined })} />}
    </div>
  )
}
