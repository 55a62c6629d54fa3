import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { useState } from 'react'
import { Pager } from '../../ui/Pager.tsx'
import { EM_DASH } from '../../ui/words.ts'
import { formatCount } from '../../ui/numbers.ts'
import { playTimeText } from './reportNumbers.ts'
import { expected, parts } from './playGrades.ts'
import type { Graded } from './playGrades.ts'
import styles from './FiguresTable.module.css'

export interface FiguresRow extends Graded {
  key: string
  name: string
}

interface FiguresTableProps {
  /** The noun of a row: `Day`. */
  of: string
  rows: readonly FiguresRow[]
  total: Graded
}

/** The figures of plays, a line each, with the total of all lines below. */
export function FiguresTable({ of, rows, total }: FiguresTableProps) {
  const [asked, setPage] = useState(1)
  // Other filters may have fewer pages.
  const page = Math.min(asked, Math.max(1, Math.ceil(rows.length / PAGE_SIZE)))
  const shown = rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  const most = Math.max(1, ...rows.map(expected))
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
                <Cells figures={row} />
                <td className={styles.roomy}>
                  <Bar figures={row} most={most} />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <Cells figures={total} />
              <td className={styles.roomy}>
                <Bar figures={total} most={expected(total)} />
              </td>
            </tr>
          </tfoot>
        </table>
      </div>
      <Pager page={page} perPage={PAGE_SIZE} total={rows.length} onChange={setPage} />
    </>
  )
}

const Cells = ({ figures }: { figures: Graded }) => (
  <>
    <td>{formatCount(figures.plays)}</td>
    {parts.map(({ key, tone }) => {
      const number = figures[key]
      const isLoud = (key === 'conflict' || key === 'missing') && number !== undefined && number > 0
      return (
        <td key={key} style={isLoud ? { color: `var(--${tone})`, fontWeight: 650 } : undefined}>
          {number === undefined ? EM_DASH : formatCount(number)}
        </td>
      )
    })}
    <td className={styles.roomy}>{playTimeText(figures.seconds)}</td>
  </>
)

/** The figures of a row as a bar; the numbers are beside it. */
const Bar = ({ figures, most }: { figures: Graded; most: number }) => (
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
