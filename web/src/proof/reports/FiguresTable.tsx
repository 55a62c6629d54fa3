import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Pager } from '../../ui/Pager.tsx'
import { EM_DASH } from '../../ui/dash.ts'
import { formatCount } from '../../ui/numbers.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { FilterLink, OtherFigure } from './FilterLink.tsx'
import type { OtherFilters } from './FilterLink.tsx'
import { playTimeText } from './reportNumbers.ts'
import { barLength, parts } from './playGrades.ts'
import type { KnownFigures } from './playGrades.ts'
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

/** The figures of plays, a line each, with the total of all lines below. */
export function FiguresTable({ of, rows, total }: FiguresTableProps) {
  const [asked, setPage] = useState(1)
  // Other filters may have fewer pages.
  const page = Math.min(asked, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)))
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const most = Math.max(1, ...rows.map(barLength))
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- where it is too wide, it is scrolled by the keys */}
      <div className={styles.frame} role="region" aria-label={`Figures by ${of.toLowerCase()}`} tabIndex={0}>
        <table className={styles.figures} aria-label={`Plays by ${of.toLowerCase()}`}>
          <thead>
            <tr>
              <th scope="col">{of}</th>
              <th scope="col">Plays</th>
              {parts.map(({ key, word }) => (
                <th key={key} scope="col">
                  {word}
                </th>
              ))}
              <th scope="col">Plays reported</th>
              <th scope="col" className={styles.roomy}>
                Time shown
              </th>
              <th scope="col" className={styles.roomy}>
                Shares
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key}>
                <th scope="row">{row.name}</th>
                <Cells row={row} />
                <td className={styles.roomy}>
                  <Bar figures={row} most={most} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Cells row={{ ...total, name: 'Total' }} />
              <td className={styles.roomy}>
                <Bar figures={total} most={Math.max(1, barLength(total))} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      <Pager page={page} perPage={PAGE_SIZE} total={rows.length} onChange={setPage} />
    </>
  )
}

const countText = (count: number | null) => (count === null ? EM_DASH : formatCount(count))

/** The color of a figure that needs attention; the others are calm. */
function loudness(key: string, tone: string, count: number | null) {
  const isLoud = (key === 'conflict' || key === 'missing') && count !== null && count > 0
  return isLoud ? { color: `var(--${tone})`, fontWeight: 650 } : undefined
}

function Cells({ row }: { row: Omit<FiguresRow, 'key'> }) {
  const { name, plays, noTrack, playFilters, otherFilters } = row
  const shown: Partial<Record<string, ReactNode>> = {
    unverified: (
      <>
        {noTrack !== null && noTrack > 0 && (
          <small className={styles.roomy}>{`${formatCount(noTrack)} without GPS data `}</small>
        )}
        {formatCount(row.unverified)}
      </>
    ),
  }
  return (
    <>
      <td>
        {playFilters && plays > 0 ? (
          <FilterLink filters={playFilters} label={`Plays, ${name}`}>
            {formatCount(plays)}
          </FilterLink>
        ) : (
          formatCount(plays)
        )}
      </td>
      {parts.map(({ key, tone, word }) => {
        const count = row[key]
        return (
          <td key={key} style={loudness(key, tone, count)}>
            {shown[key] ??
              (count === null || !otherFilters ? (
                countText(count)
              ) : (
                <OtherFigure part={key} filters={otherFilters} label={`${word} plays, ${name}`} count={count} />
              ))}
          </td>
        )
      })}
      <td>{countText(row.numbers)}</td>
      <td className={styles.roomy}>{playTimeText(row.seconds)}</td>
    </>
  )
}

/** The figures of a row as a bar; the numbers are beside it. */
const Bar = ({ figures, most }: { figures: KnownFigures; most: number }) => (
  <div className={styles.stack} aria-hidden>
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
