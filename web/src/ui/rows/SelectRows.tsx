import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import { Checkbox } from 'antd'
import type { RowSelection } from './rows.ts'

interface SelectRowsProps<Row> {
  selection: RowSelection<Row>
  rows: readonly Row[]
}

/** Selects every row of the page, or none. */
export function SelectAll<Row extends Keyed>({ selection: { chosen, onChoose }, rows }: SelectRowsProps<Row>) {
  const count = rows.filter((row) => chosen.has(uidOf(row))).length
  return (
    <Checkbox
      aria-label="Select all on this page"
      checked={count > 0 && count === rows.length}
      indeterminate={count > 0 && count < rows.length}
      disabled={rows.length === 0}
      onChange={({ target }) => onChoose(rows, target.checked)}
    />
  )
}

interface SelectRowProps<Row> {
  selection: RowSelection<Row>
  row: Row
}

/** Selects one row. */
export const SelectRow = <Row extends Keyed>({ selection: { chosen, onChoose, nameOf }, row }: SelectRowProps<Row>) => (
  <Checkbox
    aria-label={`Select ${nameOf(row)}`}
    checked={chosen.has(uidOf(row))}
    onChange={({ target }) => onChoose([row], target.checked)}
  />
)
