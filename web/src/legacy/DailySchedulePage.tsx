import { formatClock } from '@roadshow/contract/platform/dates'
import type { RowOf } from '@roadshow/contract/platform/endpoint'
import { dailySchedule } from '@roadshow/contract/legacy'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../api/call.ts'
import type { ListOf } from '../api/useList.ts'
import { useMay } from '../api/user.ts'
import { marketLookup } from '../catalog/lookups/marketLookup.ts'
import { DateSteps } from '../planning/shifts/DateSteps.tsx'
import { driverLookup, plannedProgramLookup, truckLookup } from '../planning/shifts/shiftLookups.ts'
import { useSchedule } from '../planning/shifts/useSchedule.ts'
import { ExportMenu } from '../ui/list/ExportMenu.tsx'
import { ListSearch } from '../ui/list/ListSearch.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { Pager } from '../ui/rows/Pager.tsx'
import { Row, Soft } from '../ui/layout.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/states.tsx'
import { useListState } from '../ui/useListState.ts'
import { ClassicTable } from './table/ClassicTable.tsx'
import type { CellEdit } from './table/columns.ts'
import { dailyActualColumns, dailyLines, dailyPlanColumns } from './dailyColumns.tsx'
import type { DailyRow } from './dailyColumns.tsx'
import type { LineChanges } from './table/editsStore.ts'
import { pickFields } from './table/saved.ts'
import { useAll, useChoices } from './table/useAll.ts'
import shared from './oldPages.module.css'
import { lazyOverlay } from '../ui/lazyPart.tsx'

const UploadDrawer = lazyOverlay(() => import('../planning/shifts/upload/UploadDrawer.tsx'))

const PER_PAGE = 150

const rowKey = ({ uid }: DailyRow) => uid
const nameOf = ({ truckNumber, start }: DailyRow) => `${truckNumber} at ${formatClock(start)}`
const isDeletable = ({ status }: DailyRow) => ['planned', 'cancelled', 'noShow'].includes(status)

/** Sets belong to a program: another program clears them, as in the new form. */
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

/** The trucks, drivers, programs and markets to plan with, if the user may list them. */
function usePlan() {
  const mayPlan = useMay(shifts.trucks)
  const { data: trucks } = useAll(shifts.trucks, { sort: truckLookup.sort }, mayPlan)
  const truck = useChoices(truckLookup, 'truck')
  const driver = useChoices(driverLookup, 'driver')
  const program = useChoices(plannedProgramLookup, 'program')
  const { data: programs } = useAll(shifts.programs, { sort: plannedProgramLookup.sort }, mayPlan)
  const ofPrograms = useMemo(() => programs && marketsOf(programs), [programs])
  // Market names include the state where the user may see it: there are several Portlands.
  const market = useChoices(marketLookup, 'market') ?? ofPrograms
  return { trucks, choices: useMemo(() => ({ truck, driver, program, market }), [truck, driver, program, market]) }
}

/** The errors of a shift that is not saved yet, by field, including clashes of its truck and driver. */
async function checkShiftRow(
  row: DailyRow | undefined,
  date: string,
  changes: LineChanges,
): Promise<Record<string, string>> {
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

/** The shifts of a day, the lines to show on a page, and the calls that save them. */
function useDailySchedule(date: string, isActual: boolean) {
  const { query, ask } = useListState(dailySchedule.list)
  const mayEdit = useMay(dailySchedule.update)
  const { trucks, choices } = usePlan()
  const mayAdd = mayEdit && Object.values(choices).every((each) => each !== undefined)
  const search = typeof query.search === 'string' ? query.search : undefined
  // Each endpoint answers the fields that its columns show.
  const list = (isActual ? dailySchedule.details : dailySchedule.list) as unknown as ListOf<DailyRow>
  const found = useAll(list, { date, ...(search && { search }) })
  const columns = useMemo(
    () => [...dailyPlanColumns(choices), ...(isActual ? dailyActualColumns : [])],
    [choices, isActual],
  )
  const rows = found.data
  const lines = useMemo(() => {
    const wanted = search?.toLowerCase()
    const free = wanted ? trucks?.filter(({ name }) => name.toLowerCase().includes(wanted)) : trucks
    return rows && dailyLines(rows, mayAdd ? free : [])
  }, [rows, trucks, mayAdd, search])
  const page = Number(query.page ?? 1)
  const shown = useMemo(() => lines?.slice((page - 1) * PER_PAGE, page * PER_PAGE), [lines, page])
  return { query, ask, search, list, found, rows, columns, lines, shown, page, mayEdit, mayAdd }
}
type DailySchedule = ReturnType<typeof useDailySchedule>

const saveShift =
  (date: string, allowInactiveProgram: boolean) =>
  (row: DailyRow | undefined, changes: LineChanges, idempotencyKey: string) => {
    const body = { ...inputOf(row, date, changes), allowInactiveProgram }
    return row
      ? call(dailySchedule.update, { body: { ...body, uid: row.uid, version: row.version } })
      : call(dailySchedule.create, { body }, { idempotencyKey })
  }

/** One day, all trucks, shifts as rows. */
export default function DailySchedulePage() {
  const { date, goTo } = useSchedule()
  const [isActual, setActual] = useState(false)
  const [isUploading, setUploading] = useState(false)
  const [allowInactiveProgram, setAllowed] = useState(false)
  const day = useDailySchedule(date, isActual)
  const { query, ask, search, list, found, mayEdit } = day
  const days = { from: date, to: date, date, goTo, step: (by: 1 | -1) => goTo(addDays(date, by)) }
  return (
    <>
      <Row gap={3} lineGap={2} align="center" wrap className={`${shared.tools} list-tools`} role="search">
        <DateSteps schedule={days} />
        <div className={shared.search}>
          <ListSearch noun="shifts" query={query} ask={ask} />
        </div>
        <Row as="label" gap={2} align="center" inline>
          <input type="checkbox" checked={isActual} onChange={({ target }) => setActual(target.checked)} /> Planned vs.
          actual
        </Row>
        {mayEdit && (
          <Row as="label" gap={2} align="center" inline>
            <input
              type="checkbox"
              checked={allowInactiveProgram}
              onChange={({ target }) => setAllowed(target.checked)}
            />{' '}
            Allow draft and paused programs
          </Row>
        )}
        <Row as="span" grow />
        <Row gap={2} align="center">
          <ExportMenu list={list} query={{ date, search }} />
          {mayEdit && <Button onClick={() => setUploading(true)}>Upload</Button>}
        </Row>
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      <DailyTable date={date} day={day} allowInactiveProgram={allowInactiveProgram} />
      <DailyFooter day={day} />
      {isUploading && (
        <UploadDrawer
          upload={dailySchedule.upload}
          onClose={() => {
            setUploading(false)
            void found.refetch()
          }}
        />
      )}
    </>
  )
}

interface DailyTableProps {
  date: string
  day: DailySchedule
  allowInactiveProgram: boolean
}

function DailyTable({ date, day, allowInactiveProgram }: DailyTableProps) {
  const { search, found, rows, columns, lines, shown, page, mayEdit, mayAdd } = day
  const mayCheck = useMay(shifts.clashes)
  const reload = async () => {
    const { data, error } = await found.refetch()
    if (error) throw error
    return data ?? []
  }
  if (lines?.length === 0 && (search || !mayAdd))
    return <EmptyState>{search ? 'No shifts match your search.' : 'No shifts on this day.'}</EmptyState>
  if (!rows && found.isError) return null
  return (
    <ClassicTable
      key={`${date} ${page} ${search ?? ''}`}
      label="Shifts of the day"
      columns={columns}
      rows={rows}
      lines={shown}
      rowKey={rowKey}
      nameOf={nameOf}
      reload={reload}
      save={mayEdit ? saveShift(date, allowInactiveProgram) : undefined}
      check={mayCheck ? (row, changes) => checkShiftRow(row, date, changes) : undefined}
      addWord={mayAdd ? 'Add row' : undefined}
      remove={mayEdit ? removal : undefined}
    />
  )
}

const removal = {
  calls: dailySchedule,
  uidOf: ({ uid }: DailyRow) => uid,
  effect:
    'The shift leaves the schedule, and its truck and driver become available. A shift that has started cannot be deleted.',
  isOffered: isDeletable,
}

const DailyFooter = ({ day: { rows, lines, page, mayAdd, ask } }: { day: DailySchedule }) => (
  <div className={shared.footer}>
    <span role="status" className="figures">
      {rows && countOf(rows.length, 'shift')}
    </span>
    <Soft small>
      {mayAdd && 'You can paste rows copied from a spreadsheet into any cell. '}Times are in each market’s time zone.
    </Soft>
    <Pager
      page={page}
      perPage={PER_PAGE}
      total={lines?.length ?? 0}
      onChange={(next) => ask({ page: next === 1 ? undefined : String(next) })}
    />
  </div>
)
