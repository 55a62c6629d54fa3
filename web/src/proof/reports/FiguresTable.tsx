import { EM_DASH } from '../../ui/text/dash.ts'
import { PagedFactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import type { UrlSearch } from '../../ui/useListState.ts'
import { FilterLink, OtherFigure } from './FilterLink.tsx'
import type { OtherFilters } from './FilterLink.tsx'
import { playTimeText } from './reportNumbers.ts'
import { barLength, parts, partsOf } from './ad-log/playGrades.ts'
import type { KnownFigures } from './ad-log/playGrades.ts'
import styles from './FiguresTable.module.css'

export interface FiguresRow extends KnownFigures {
  key: string
  name: string
  /** The filters that leave only the plays of this row, where the list can be filtered so. */
  playFilters?: UrlSearch | undefined
  /** The filters of its numbers that are no plays. */
  otherFilters?: OtherFilters
}

interface FiguresTableProps {
  /** The noun of a row: `Day`. */
  of: string
  rows: readonly FiguresRow[]
  total: KnownFigures
}

const TOTAL = 'total'

/** The figures of plays, a line each, with the total of all lines below. */
export function FiguresTable({ of, rows, total }: FiguresTableProps) {
  const most = Math.max(1, ...rows.map(barLength))
  const columns: FactColumn<FiguresRow>[] = [
    { title: of, render: ({ name }) => name },
    { title: 'Plays', isNumber: true, render: (row) => <PlaysCell row={row} /> },
    ...partsOf(total).map((part) => ({
      title: part.word,
      isNumber: true,
      render: (row: FiguresRow) => partCell(part, row),
    })),
    { title: 'Plays reported', isNumber: true, render: ({ numbers }) => countText(numbers) },
    { title: 'Time shown', isNumber: true, from: 'desktop', render: ({ seconds }) => playTimeText(seconds) },
    {
      title: 'Shares',
      from: 'desktop',
      render: (row) => <Bar figures={row} most={row.key === TOTAL ? Math.max(1, barLength(row)) : most} />,
    },
  ]
  return (
    <PagedFactTable
      label={`Plays by ${of.toLowerCase()}`}
      isFramed
      isWide
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      total={{ ...total, key: TOTAL, name: 'Total' }}
    />
  )
}

const countText = (count: number | null) => (count === null ? EM_DASH : formatCount(count))

/** The color of a figure that needs attention; the others are calm. */
function loudness(key: string, tone: string, count: number | null) {
  const isLoud = (key === 'conflict' || key === 'missing') && count !== null && count > 0
  return isLoud ? { color: `var(--${tone})`, fontWeight: 650 } : undefined
}

const PlaysCell = ({ row: { name, plays, playFilters } }: { row: FiguresRow }) =>
  playFilters && plays > 0 ? (
    <FilterLink filters={playFilters} label={`Plays, ${name}`}>
      {formatCount(plays)}
    </FilterLink>
  ) : (
    formatCount(plays)
  )

function partCell({ key, tone, word }: (typeof parts)[number], row: FiguresRow) {
  const count = row[key]
  const { name, noTrack, otherFilters } = row
  if (key === 'unverified')
    return (
      <>
        {noTrack !== null && noTrack > 0 && (
          <small className={styles.without}>{`${formatCount(noTrack)} without independent GPS data `}</small>
        )}
        {formatCount(row.unverified)}
      </>
    )
  return (
    <span style={loudness(key, tone, count)}>
      {count === null || !otherFilters ? (
        countText(count)
      ) : (
        <OtherFigure part={key} filters={otherFilters} label={`${word} plays, ${name}`} count={count} />
      )}
    </span>
  )
}

/** The figures of a row as a bar; the numbers are beside it. */
const Bar = ({ figures, most }: { figures: KnownFigures; most: number }) => (
  <div className={styles.bar} aria-hidden>
    {parts.map(({ key, tone }) => (
      <span
        key={key}
        data-hollow={key === 'missing'}
        style={{ width: `${((figures[key] ?? 0) / most) * 100}%`, color: `var(--${tone})` }}
        hidden={!figures[key]}
      />
    ))}
  </div>
)
