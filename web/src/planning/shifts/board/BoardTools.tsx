import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { Button } from 'antd'
import { SearchInput } from '../../../ui/list/SearchInput.tsx'
import chips from '../../../ui/list/FilterChips.module.css'
import { Row, Soft } from '../../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import type { BoardSelection } from './useSelection.ts'
import type { TruckSearch } from './useTruckSearch.ts'
import styles from './BoardTools.module.css'

interface BoardToolsProps {
  search: TruckSearch
  selection: BoardSelection
  mayPlan: boolean
  onChangePlan: (kind: ShiftPlanChangeKind, shifts: readonly BoardShift[]) => void
}

/** Finds a truck, and acts on the shifts that are chosen. */
export const BoardTools = ({ search, selection, mayPlan, onChangePlan }: BoardToolsProps) => (
  <Row gap={2} align="center" wrap className={styles.tools} data-print="no">
    <div
      className={styles.search}
      onKeyDown={(event) => {
        if (event.key === 'Enter') search.goOn()
      }}
      role="presentation"
    >
      <SearchInput label="Find truck" value={search.text} onChange={(text) => search.setText(text)} />
    </div>
    <Soft role="status">{search.text.trim() !== '' && search.result}</Soft>
    {mayPlan && (
      <button
        type="button"
        className={chips.chip}
        aria-pressed={selection.isSelecting}
        onClick={() => selection.setSelecting(!selection.isSelecting)}
      >
        Select
      </button>
    )}
    {mayPlan && (selection.isSelecting || selection.shifts.length > 0) && (
      <SelectionChanges selection={selection} onChangePlan={onChangePlan} />
    )}
  </Row>
)

const labels: [ShiftPlanChangeKind, string][] = [
  ['move', 'Move'],
  ['copy', 'Copy'],
  ['driver', 'Change driver'],
  ['cancel', 'Cancel shifts'],
  ['delete', 'Delete'],
]

function SelectionChanges({ selection, onChangePlan }: Pick<BoardToolsProps, 'selection' | 'onChangePlan'>) {
  const { shifts } = selection
  return (
    <Row role="group" aria-label="Selected shifts" gap={2} align="center" wrap className={styles.acts}>
      <b role="status">{countOf(shifts.length, 'shift')} selected</b>
      {labels.map(([kind, label]) => (
        <Button
          key={kind}
          size="small"
          danger={kind === 'delete'}
          disabled={shifts.length === 0}
          onClick={() => onChangePlan(kind, shifts)}
        >
          {label}
        </Button>
      ))}
      <Button size="small" type="link" onClick={selection.clear}>
        Clear selection
      </Button>
    </Row>
  )
}
