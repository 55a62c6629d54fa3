import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { useMemo } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { useMay } from '../../../api/user.ts'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { useListState } from '../../../ui/useListState.ts'
import { truckFilter } from './playColumns.tsx'
import { ProgramDaysBar } from '../ProgramDaysBar.tsx'
import { unassignedColumns } from './unassignedColumns.tsx'
import { textOf, usePropose } from '../propose.ts'
import { firstDayShown } from './useLogFilters.ts'
import styles from '../reports.module.css'

/** Trucks that have unassigned plays on the chosen days, to filter by. */
function useTrucks(query: { program?: string | undefined; from?: string | undefined; to?: string | undefined }) {
  const { data } = useCall(adLog.summary, { query }, { enabled: query.from !== undefined })
  return useMemo(() => [truckFilter(data?.trucks.filter(({ unassigned }) => unassigned) ?? [])], [data])
}

/** Plays outside of any shift or with the artwork of another program, which count for no campaign until a shift is planned. */
export default function UnassignedPlays() {
  const { query, ask } = useListState(adLog.unassigned)
  const [program, from, to] = [textOf(query, 'program'), textOf(query, 'from'), textOf(query, 'to')]
  usePropose(ask, from === undefined ? { from: firstDayShown() } : {})
  const filters = useTrucks({ program, from, to })
  const mayReadShifts = useMay(shifts.list)
  const isBackwards = from !== undefined && to !== undefined && from > to
  return (
    <Stack as="section" gap={3} className={styles.part} aria-label="Unassigned plays">
      <Soft as="p" small className={styles.hint}>
        Plays outside of any shift, or with the artwork of another program than the shift’s. They count for no shift and
        no campaign. Plan or correct the shift, and its plays are assigned to it. Days and times are those of the
        truck’s home market.
      </Soft>
      <ProgramDaysBar given={{ program, from, to }} ask={ask} />
      {isBackwards && (
        <p role="alert" className={styles.wrong}>
          The last day can’t be before the first.
        </p>
      )}
      {from !== undefined && !isBackwards && (
        <DataTable
          nouns={['play', 'plays']}
          list={adLog.unassigned}
          columns={unassignedColumns(mayReadShifts)}
          filters={filters}
          empty="Every play belongs to a shift."
        />
      )}
    </Stack>
  )
}
