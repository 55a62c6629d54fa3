import { formatDays } from '@roadshow/contract/platform/dates'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { adLog } from '@roadshow/contract/proof/reports'
import type { ReportProgram } from '@roadshow/contract/proof/reports'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useId, useMemo } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useMay } from '../../api/user.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { RecordSelect } from '../../ui/RecordSelect.tsx'
import type { Lookup } from '../../ui/RecordSelect.tsx'
import { localZone } from '../../ui/time.ts'
import { useListState } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { truckFilter } from './playColumns.tsx'
import { unassignedColumns } from './unassignedColumns.tsx'
import { textOf, usePropose } from './useReportFilters.ts'
import styles from './reports.module.css'
import bar from './ReportFilterBar.module.css'

const DayPicker = lazy(() => import('../../ui/DayPicker.tsx').then((module) => ({ default: module.DayPicker })))

const programs: Lookup<ReportProgram> = {
  list: adLog.programs,
  sort: 'name',
  nameOf: ({ name, client, firstDay, lastDay }) => `${name} (${client.name}), ${formatDays(firstDay, lastDay)}`,
}

/** Without days, the last week is listed. */
const DAYS_SHOWN = 7

/** Trucks that have unassigned plays on the chosen days, to filter by. */
function useTrucks(query: { program?: string | undefined; from?: string | undefined; to?: string | undefined }) {
  const { data } = useQuery({
    queryKey: keyOf(adLog.summary, query),
    queryFn: async ({ signal }) => (await call(adLog.summary, { query }, { signal })).data,
    enabled: query.from !== undefined,
  })
  return useMemo(() => [truckFilter(data?.trucks.filter(({ unassigned }) => unassigned) ?? [])], [data])
}

/** Plays outside of any shift or with the artwork of another program, which count for no campaign until a shift is planned. */
export default function UnassignedPlays() {
  const { query, ask } = useListState(adLog.unassigned)
  const [program, from, to] = [textOf(query, 'program'), textOf(query, 'from'), textOf(query, 'to')]
  usePropose(ask, from === undefined ? { from: addDays(localDay(localZone()), -DAYS_SHOWN) } : {})
  const filters = useTrucks({ program, from, to })
  const mayReadShifts = useMay(shifts.list)
  const isBackwards = from !== undefined && to !== undefined && from > to
  return (
    <section className={styles.part} aria-label="Unassigned plays">
      <p className={styles.hint}>
        Plays outside of any shift, or with the artwork of another program than the shift’s. They count for no shift and
        no campaign. Plan or correct the shift, and its plays are assigned to it. Days and times are those of the
        truck’s home market.
      </p>
      <UnassignedBar given={{ program, from, to }} ask={ask} />
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
    </section>
  )
}

interface UnassignedBarProps {
  given: { program: string | undefined; from: string | undefined; to: string | undefined }
  ask: (changes: UrlSearch) => void
}

/** Whose artwork was played, and on which days. */
function UnassignedBar({ given, ask }: UnassignedBarProps) {
  const [programId, fromId, toId] = [useId(), useId(), useId()]
  return (
    <div className={styles.bar} role="group" aria-label="Report filters">
      <div className={`${bar.wide} report-field`}>
        <label htmlFor={programId}>Program</label>
        <RecordSelect
          id={programId}
          lookup={programs}
          value={given.program ?? ''}
          placeholder="All programs"
          popupMatchSelectWidth={false}
          onChange={(uid: string | undefined) => ask({ program: uid, truck: undefined })}
        />
      </div>
      <Suspense>
        <div className={bar.day}>
          <label htmlFor={fromId}>First day</label>
          <DayPicker id={fromId} value={given.from ?? null} onChange={(day) => ask({ from: day ?? undefined })} />
        </div>
        <div className={bar.day}>
          <label htmlFor={toId}>Last day</label>
          <DayPicker
            id={toId}
            value={given.to ?? null}
            placeholder="Today"
            onChange={(day) => ask({ to: day ?? undefined })}
          />
        </div>
      </Suspense>
    </div>
  )
}
