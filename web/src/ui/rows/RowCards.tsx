import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import type { ReactNode } from 'react'
import { RowLink } from './RowLink.tsx'
import type { RowsProps } from './rows.ts'
import { SelectRow } from './SelectRows.tsx'
import { SkeletonLine } from '../states.tsx'
import styles from './RowCards.module.css'
import { List } from '../layout.tsx'

/** Rows as cards, for phones: the first column is the card's name, the main ones stand below it. */
export function RowCards<Row extends Keyed>(props: RowsProps<Row>) {
  const { columns, rows, stale, isError, label, to, isPlain = false, selection } = props
  const [name, ...all] = columns.filter((column) => !column.secondary)
  const brief = all.filter(({ inBrief }) => inBrief)
  const others = brief.length > 0 ? brief : all
  return (
    <List gap={2} className={styles.cards} aria-label={label} aria-busy={stale || !rows}>
      {!rows && [0, 1, 2, 3].map((index) => <BoneCard key={index} />)}
      {rows?.map((row) => (
        <li key={uidOf(row)} className={styles.card} data-bad={isError(row)} data-brief={brief.length > 0}>
          {selection && (
            <span className={styles.select}>
              <SelectRow selection={selection} row={row} />
            </span>
          )}
          <h2>
            {isPlain ? (
              name?.render(row)
            ) : (
              <RowLink uid={uidOf(row)} to={to}>
                {name?.render(row)}
              </RowLink>
            )}
          </h2>
          <dl>
            {others.map((column) => (
              <div key={column.key} data-long={column.isLong}>
                <dt>{column.title}</dt>
                <dd>{orDash(column.render(row))}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </List>
  )
}

// None of something is a figure, nothing known is a dash.
const orDash = (shown: ReactNode) => (shown === 0 ? shown : shown || '–')

const BoneCard = () => (
  <li className={styles.card}>
    <SkeletonLine />
    <SkeletonLine />
  </li>
)
