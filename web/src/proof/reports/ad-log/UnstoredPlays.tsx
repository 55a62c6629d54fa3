import { adLog, JUMP_NUMBERS, unstoredKindLabel } from '@roadshow/contract/proof/ad-log'
import type { UnstoredNumbers } from '@roadshow/contract/proof/ad-log'
import { useReply } from '../../../api/useCall.ts'
import { marketLookup } from '../../../catalog/lookups/marketLookup.ts'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import type { Filter } from '../../../ui/list/FilterChips.tsx'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { useListState } from '../../../ui/useListState.ts'
import { ProgramDaysBar } from '../ProgramDaysBar.tsx'
import { RemovableChip, ShiftChip } from '../ShiftChip.tsx'
import { unstoredColumns } from './unstoredColumns.tsx'
import { textOf, usePropose } from '../propose.ts'
import { firstDayShown } from './useLogFilters.ts'
import styles from '../reports.module.css'

/** Filters that a figure of the ad log may have set. */
const OTHER_FILTERS = ['client', 'driver', 'fromHour', 'toHour'] as const

const filters: Filter[] = [
  { key: 'kind', label: 'Type', words: unstoredKindLabel },
  { key: 'market', label: 'Market', lookup: marketLookup },
]

/** Gaps in the numbers of players and rows that could not be stored: what lies behind the figures of the ad log. */
export default function UnstoredPlays() {
  const { query, ask } = useListState<UnstoredNumbers>(adLog.unstored)
  const [program, shift] = [textOf(query, 'program'), textOf(query, 'shift')]
  const [from, to] = [textOf(query, 'from'), textOf(query, 'to')]
  const isOpen = from === undefined && program === undefined && shift === undefined
  const others = OTHER_FILTERS.filter((name) => query[name] !== undefined)
  usePropose(ask, isOpen ? { from: firstDayShown() } : {})
  const isBackwards = from !== undefined && to !== undefined && from > to
  const isReady = !isOpen && !isBackwards
  const { data: found } = useReply(adLog.unstored, { query }, { enabled: isReady })
  return (
    <Stack as="section" gap={3} className={styles.part} aria-label="Missing and rejected plays">
      <Soft as="p" small className={styles.hint}>
        Players number their plays. A number that never arrived is missing: it arrives later, or was lost. A rejected
        row arrived and could not be stored, a duplicate came under a second number. All count on the day of the shift.
        A counter that jumped by more than {formatCount(JUMP_NUMBERS)} is a question: were these plays lost, or was the
        counter set? Nothing counts as missing until someone has answered.{' '}
        {found && `${countOf(found.numbers, 'play')} in all.`}
      </Soft>
      <ProgramDaysBar given={{ program, from, to }} ask={ask} />
      {shift && <ShiftChip uid={shift} onRemove={() => ask({ shift: undefined })} />}
      {others.length > 0 && (
        <RemovableChip
          name="Filtered as in the list of plays"
          title="Show all rows of these days"
          onRemove={() => ask(Object.fromEntries(others.map((name) => [name, undefined])))}
        />
      )}
      {isBackwards && (
        <p role="alert" className={styles.wrong}>
          The last day can’t be before the first.
        </p>
      )}
      {isReady && (
        <DataTable
          nouns={['row', 'rows']}
          list={adLog.unstored}
          columns={unstoredColumns}
          filters={filters}
          empty="All accounted for."
        />
      )}
    </Stack>
  )
}
