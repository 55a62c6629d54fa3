import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import { isOutsider } from '@roadshow/contract/platform/permissions'
import type { MouseEvent, PointerEvent } from 'react'
import { useUser } from '../../api/user.ts'
import type { Column } from './columns.ts'
import { fittingColumns, sortsOf } from './columns.ts'
import { RowLink } from './RowLink.tsx'
import type { RowsProps } from './rows.ts'
import { SelectAll, SelectRow } from './SelectRows.tsx'
import { SkeletonLine } from '../states.tsx'
import { useMedia, usePageWidth } from '../useMedia.ts'
import styles from './RowTable.module.css'

// The page around a table, as the shell draws it.
const PAGE_PADDING = 48
const PAGE_WIDTH = 1872
/** The column of checkboxes. */
const SELECT_WIDTH = 40

/** A click anywhere on a row is a click on its link, unless it was on something that acts by itself or marked text. */
function openRow({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if ((target as Element).closest('a, button, input, label') || getSelection()?.isCollapsed === false) return
  const link = currentTarget.querySelector('a')
  link?.focus({ preventScroll: true })
  link?.click()
}

/** A text that is longer than its column is read under the pointer. */
function titleIfCut({ currentTarget }: PointerEvent<HTMLElement>) {
  const cell = currentTarget.firstElementChild
  if (!(cell instanceof HTMLElement)) return
  if (cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent
  else cell.removeAttribute('title')
}

/** Rows as a table: compact, its header staying in sight. */
export function RowTable<Row extends Keyed>(props: RowsProps<Row>) {
  const { list, columns, rows, stale, sort, onSort, isError, label, to, isPlain = false, isChosen = false } = props
  const { selection } = props
  const narrow = useMedia('(max-width: 1099px)')
  const sorts = sortsOf(list)
  const isOutside = isOutsider(useUser())
  const width = usePageWidth() - PAGE_PADDING - (selection ? SELECT_WIDTH : 0)
  const open = columns.filter(
    ({ secondary, staffOnly }) => !(narrow && secondary && !isChosen) && !(isOutside && staffOnly),
  )
  const shown = fittingColumns(open, Math.min(width, PAGE_WIDTH), isChosen)
  // In a narrow window the columns share what there is, so that the page never scrolls sideways.
  const style = ({ width, align }: Column<Row>) => ({ width: narrow ? undefined : width, textAlign: align })
  return (
    <table className={styles.table} aria-label={label} aria-busy={stale || !rows}>
      <thead>
        <tr>
          {selection && (
            <th scope="col" style={{ width: SELECT_WIDTH }}>
              <SelectAll selection={selection} rows={rows ?? []} />
            </th>
          )}
          {shown.map((column) => {
            const isSortable = sorts.includes(column.key)
            return (
              <th
                key={column.key}
                scope="col"
                style={style(column)}
                aria-sort={isSortable ? orderOf(column.key, sort) : undefined}
              >
                {isSortable ? (
                  <button type="button" onClick={() => onSort(nextSort(column.key, sort))}>
                    {column.title}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={uidOf(row)} data-bad={isError(row)} data-plain={isPlain} onClick={isPlain ? undefined : openRow}>
            {selection && (
              <td>
                <SelectRow selection={selection} row={row} />
              </td>
            )}
            {shown.map((column, index) => (
              <td key={column.key} style={style(column)} onPointerEnter={titleIfCut}>
                <div className={styles.cell}>
                  {index === 0 && !isPlain ? (
                    <RowLink uid={uidOf(row)} to={to}>
                      {column.render(row)}
                    </RowLink>
                  ) : (
                    column.render(row)
                  )}
                </div>
              </td>
            ))}
          </tr>
        ))}
        {!rows &&
          Array.from({ length: 10 }, (_, index) => <BoneRow key={index} cells={shown.length + (selection ? 1 : 0)} />)}
      </tbody>
    </table>
  )
}

const orderOf = (key: string, sort: string | undefined) =>
  sort === key ? 'ascending' : sort === `-${key}` ? 'descending' : 'none'

/** A header goes from ascending to descending and back to the list's own order. */
const nextSort = (key: string, sort: string | undefined) =>
  sort === key ? `-${key}` : sort === `-${key}` ? undefined : key

const BoneRow = ({ cells }: { cells: number }) => (
  <tr>
    {Array.from({ length: cells }, (_, index) => (
      <td key={index}>
        <SkeletonLine />
      </td>
    ))}
  </tr>
)
