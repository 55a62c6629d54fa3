import type { Keyed } from '@roadshow/contract/platform/common'
import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import type { Column } from '../rows/columns.ts'
import { Pager } from '../rows/Pager.tsx'
import { RowCards } from '../rows/RowCards.tsx'
import { RowTable } from '../rows/RowTable.tsx'
import { ErrorState } from '../states.tsx'
import { NEW_RECORD } from '../useListState.ts'
import { useIsPhone } from '../useMedia.ts'
import styles from './SummaryFigures.module.css'
import { Stack } from '../layout.tsx'

interface RelatedRowsProps<Row extends Keyed> {
  /** The screen that these rows belong to: its path and its title. */
  screen: readonly [path: string, title: string]
  list: ListOf<Row>
  /** What makes a row related: `{ program: uid }`. The screen understands it as its filter, too. */
  query: Record<string, string>
  columns: readonly Column<Row>[]
  /** Columns that are the same for all of these rows. */
  without: readonly string[]
  /** What to say when there are none. */
  empty: string
  /** The call that adds one, for users who may make it: its form starts with what makes it related. */
  create?: { call: Endpoint; label: string }
}

/** The rows of another list that belong to a record, for a tab of its drawer. */
export function RelatedRows<Row extends Keyed>(props: RelatedRowsProps<Row>) {
  const { screen, list, query, columns, without, empty, create } = props
  const mayCreate = useMay(create?.call)
  const [path, title] = screen
  const [page, setPage] = useState(1)
  const [sort, setSort] = useState<string>()
  const found = useList(list, { ...query, ...(page > 1 && { page: String(page) }), ...(sort && { sort }) })
  const phone = useIsPhone()
  const Rows = phone ? RowCards : RowTable
  const { data: rows, total = 0 } = found.data ?? {}
  return (
    <Stack gap={4} className={styles.related}>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <p>{empty}</p>}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <Rows
          list={list}
          columns={columns.filter(({ key, secondary, isExtra }) => !secondary && !isExtra && !without.includes(key))}
          rows={rows}
          stale={found.isPlaceholderData}
          sort={sort}
          onSort={setSort}
          isError={() => false}
          label={title}
          to={path}
        />
      )}
      <div className={styles.footer}>
        <Link to={path} search={query}>
          Open in {title}
        </Link>
        {create && mayCreate && (
          <Link to={path} search={{ ...query, open: NEW_RECORD }}>
            {create.label}
          </Link>
        )}
        <Pager page={page} perPage={PAGE_SIZE} total={total} onChange={setPage} />
      </div>
    </Stack>
  )
}
