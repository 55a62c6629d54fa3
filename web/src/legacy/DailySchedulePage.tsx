import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { dailySchedule } from '@roadshow/contract/legacy'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { call } from '../api/call.ts'
import { onShiftsChanged } from '../api/socket.ts'
import type { ListOf } from '../api/useList.ts'
import { useMay } from '../api/user.ts'
import { marketLookup } from '../catalog/markets/marketLookup.ts'
import { DateSteps } from '../planning/shifts/DateSteps.tsx'
import { driverLookup, plannedProgramLookup, truckLookup } from '../planning/shifts/shiftLookups.ts'
import { useSchedule } from '../planning/shifts/useSchedule.ts'
import { ExportMenu } from '../ui/ExportMenu.tsx'
import { ListSearch } from '../ui/ListSearch.tsx'
import { Pages } from '../ui/Pages.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { useListState } from '../ui/useListState.ts'
import { ClassicTable } from './ClassicTable.tsx'
import type { CellEdit } from './columns.ts'
import { dailyActualColumns, dailyLines, dailyPlanColumns } from './dailyColumns.tsx'
import type { DailyRow } from './dailyColumns.tsx'
import type { LineChanges } from './edits.ts'
import { pickFields } from './saved.ts'
import { useAll, useChoices } from './useAll.ts'
import { useLiveRefresh } from './useLiveRefresh.ts'
import styles from './oldPages.module.css'

const UploadDrawer = lazy(() => import('../planning/shifts/upload/UploadDrawer.tsx'))

const PER_PAGE = 150
const ON_DELETE =
  'It leaves the schedule, and its truck and driver are free. A shift that has been out cannot be deleted.'

const keyOf = ({ uid }: DailyRow) => uid
const nameOf = ({ truckNumber, start }: DailyRow) => `${truckNumber} at ${start}`
const isDeletable = ({ status }: DailyRow) => ['planned', 'cancelled', 'noShow'].includes(status)

/** Sets belong to a program: those of another one stay behind, as in the new form. */
const withoutSets = (row: DailyRow | undefined, { programUid }: LineChanges) =>
  programUid !== undefined && programUid !== row?.programUid && { artworkSetUid: null, addressSetUid: null }

const inputOf = (row: DailyRow | undefined, date: string, changes: LineChanges) =>
  ({
    ...(row && pickFields(dailySchedule.create.body, row)),
    date,
    ...withoutSets(row, changes),
    ...changes,
  }) as ShiftInput

const marketsOf = (programs: readonly RowOf<typeof shifts.programs>[]): CellEdit => {
  const names = new Map(programs.flatMap(({ markets }) => markets.map(({ uid, name }) => [uid, name])))
  return { kind: 'choice', noun: 'market', choices: [...names].map(([value, label]) => ({ value, label })) }
}

/** The trucks, drivers, programs and markets to plan with, as far as the user may look them up. */
function usePlan() {
  const mayPlan = useMay(shifts.trucks)
  const { data: trucks } = useAll(shifts.trucks, { sort: truckLookup.sort }, mayPlan)
  const truck = useChoices(truckLookup, 'truck')
  const driver = useChoices(driverLookup, 'driver')
  const program = useChoices(plannedProgramLookup, 'program')
  const { data: programs } = useAll(shifts.programs, { sort: plannedProgramLookup.sort }, mayPlan)
  const ofPrograms = useMemo(() => programs && marketsOf(programs), [programs])
  // With their states, where the user may see them: there are several Portlands.
  const market = useChoices(marketLookup, 'market') ?? ofPrograms
  return { trucks, choices: useMemo(() => ({ truck, driver, program, market }), [truck, driver, program, market]) }
}

/** What saving a shift would be refused for: by field, what it collides with at the truck or the driver. */
async function check(row: DailyRow | undefined, date: string, changes: LineChanges): Promise<Record<string, string>> {
  const asked = shifts.clashes.body.safeParse({ ...inputOf(row, date, changes), ...(row && { uid: row.uid }) })
  if (!asked.success) {
    return Object.fromEntries(asked.error.issues.map(({ path, message }) => [String(path[0]), message]))
  }
  const { data } = await call(shifts.clashes, { body: asked.data })
  return {
    ...Object.fromEntries(data.clashes.map(({ over, name }) => [`${over}Uid`, `Overlaps ${name}.`])),
    ...data.problems,
  }
}

/** One day, all trucks, shifts as rows. */
export default function DailySchedulePage() {
  const { date, goTo } = useSchedule()
  const { query, ask } = useListState(dailySchedule.list)
  const [isActual, setActual] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const mayEdit = useMay(dailySchedule.update)
  const mayCheck = useMay(shifts.clashes)
  useLiveRefresh(dailySchedule.list, onShiftsChanged)
  const { trucks, choices } = usePlan()
  const mayAdd = mayEdit && Object.values(choices).every((each) => each !== undefined)

  const search = typeof query.search === 'string' ? query.search : undefined
  // Either answers what the columns show of it.
  const list = (isActual ? dailySchedule.details : dailySchedule.list) as unknown as ListOf<DailyRow>
  const found = useAll(list, { date, ...(search && { search }) })
  const rows = found.data
  const columns = useMemo(
    () => [...dailyPlanColumns(choices), ...(isActual ? dailyActualColumns : [])],
    [choices, isActual],
  )
  const lines = useMemo(() => {
    const wanted = search?.toLowerCase()
    const free = wanted ? trucks?.filter(({ name }) => name.toLowerCase().includes(wanted)) : trucks
    return rows && dailyLines(rows, mayAdd ? free : [])
  }, [rows, trucks, mayAdd, search])
  const page = Number(query.page ?? 1)
  const shown = useMemo(() => lines?.slice((page - 1) * PER_PAGE, page * PER_PAGE), [lines, page])

  const reload = async () => {
    const { data, error } = await found.refetch()
    if (error) throw error
    return data ?? []
  }
  const save = (row: DailyRow | undefined, changes: LineChanges, idempotencyKey: string) => {
    const body = inputOf(row, date, changes)
    return row
      ? call(dailySchedule.update, { body: { ...body, uid: row.uid, version: row.version } })
      : call(dailySchedule.create, { body }, { idempotencyKey })
  }
  const days = { from: date, to: date, date, goTo, step: (by: 1 | -1) => goTo(addDays(date, by)) }
  const hasNone = lines?.length === 0 && !mayAdd
  return (
    <>
      <div className={styles.tools} role="search">
        <DateSteps schedule={days} />
        <div className={styles.search}>
          <ListSearch noun="shifts" query={query} ask={ask} />
        </div>
        <label className={styles.choice}>
          <input type="checkbox" checked={isActual} onChange={({ target }) => setActual(target.checked)} /> Planned
          against actual
        </label>
        <span className={styles.space} />
        <ExportMenu list={list} query={{ date, search }} />
        {mayEdit && <Button onClick={() => setUploading(true)}>Upload</Button>}
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {hasNone && <EmptyState>{search ? 'No shift matches.' : 'No shifts on this day.'}</EmptyState>}
      {!hasNone && (rows || !found.isError) && (
        <ClassicTable
          key={`${date} ${page} ${search ?? ''}`}
          label="Shifts of the day"
          columns={columns}
          rows={rows}
          lines={shown}
          keyOf={keyOf}
          nameOf={nameOf}
          reload={reload}
          save={mayEdit ? save : undefined}
          check={mayCheck ? (row, changes) => check(row, date, changes) : undefined}
          addWord={mayAdd ? 'Add a row' : undefined}
          remove={
            mayEdit
              ? {
                  of: ({ uid }) => call(dailySchedule.remove, { params: { uid } }),
                  says: ON_DELETE,
                  isOffered: isDeletable,
                }
              : undefined
          }
        />
      )}
      <div className={styles.footer}>
        <span role="status" className="figures">
          {rows && `${rows.length.toLocaleString('en-US')} ${rows.length === 1 ? 'shift' : 'shifts'}`}
        </span>
        <span className={styles.hint}>
          {mayAdd && 'Rows copied from a spreadsheet can be pasted into any cell. '}Times are in each market’s own zone.
        </span>
        <Pages
          page={page}
          perPage={PER_PAGE}
          total={lines?.length ?? 0}
          onChange={(next) => ask({ page: next === 1 ? undefined : String(next) })}
        />
      </div>
      {isUploading && (
        <Suspense>
          <UploadDrawer
            upload={dailySchedule.upload}
            onClose={() => {
              setUploading(false)
              void found.refetch()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
