import { formatCount } from '@roadshow/contract/platform/figures'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { liveStateLabel } from '@roadshow/contract/live/fleet'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { oldOverview } from '@roadshow/contract/legacy'
import type { OldOverviewPhoto, OldOverviewShift } from '@roadshow/contract/legacy'
import { photoStatusLabel } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import { useState } from 'react'
import { useList } from '../api/useList.ts'
import type { ListOf } from '../api/useList.ts'
import { DateSteps } from '../planning/shifts/DateSteps.tsx'
import { useSchedule } from '../planning/shifts/useSchedule.ts'
import { Pager } from '../ui/rows/Pager.tsx'
import { Row, Soft, Stack } from '../ui/layout.tsx'
import { ErrorState } from '../ui/states.tsx'
import { formatClock, formatClocks, formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { ClassicTable } from './table/ClassicTable.tsx'
import { ExportTable } from './table/ExportTable.tsx'
import type { ClassicColumn } from './table/columns.ts'
import shared from './oldPages.module.css'

const at = (instant: string | null, zone: string | null) =>
  instant ? formatDateTime(instant, zone ?? localZone()) : ''

const shiftColumns: ClassicColumn<OldOverviewShift>[] = [
  { key: 'truckNumber', label: 'Truck', width: 90, text: ({ truckNumber }) => truckNumber },
  { key: 'hours', label: 'Shift', width: 150, text: formatClocks },
  { key: 'driverName', label: 'Driver', width: 140, text: ({ driverName }) => driverName ?? '' },
  { key: 'programName', label: 'Program', width: 180, text: ({ programName }) => programName },
  { key: 'clientName', label: 'Client', width: 150, text: ({ clientName }) => clientName },
  { key: 'marketName', label: 'Market', width: 120, text: ({ marketName }) => marketName },
  {
    key: 'status',
    label: 'Status',
    width: 104,
    text: ({ status, isLate }) => (isLate ? 'Late' : shiftStatusLabel[status]),
  },
  {
    key: 'state',
    label: 'Truck now',
    width: 150,
    text: ({ state }) => (state ? liveStateLabel[state] : ''),
  },
  {
    key: 'metres',
    label: 'Miles',
    width: 64,
    align: 'right',
    text: ({ metres }) => (metres === null ? '' : formatMileCount(metres)),
  },
  { key: 'plays', label: 'Plays', width: 64, align: 'right', text: ({ plays }) => formatCount(plays) },
  { key: 'startedAt', label: 'Started', width: 200, text: ({ startedAt, zone }) => at(startedAt, zone) },
  { key: 'stoppedAt', label: 'Stopped', width: 200, text: ({ stoppedAt, zone }) => at(stoppedAt, zone) },
  { key: 'zone', label: 'Zone', width: 176, text: ({ zone }) => zone },
]

const photoColumns: ClassicColumn<OldOverviewPhoto>[] = [
  {
    key: 'picture',
    label: 'Photo',
    width: 78,
    text: ({ name }) => name,
    show: ({ largeUrl, smallUrl, name }) => (
      <a href={largeUrl} target="_blank" rel="noreferrer" aria-label={`${name}, large`}>
        <img className={shared.thumb} src={smallUrl} alt="" loading="lazy" />
      </a>
    ),
  },
  { key: 'takenAt', label: 'Taken', width: 210, text: ({ takenAt, zone }) => at(takenAt, zone) },
  { key: 'programName', label: 'Program', width: 190, text: ({ programName }) => programName },
  { key: 'marketName', label: 'Market', width: 120, text: ({ marketName }) => marketName ?? '' },
  { key: 'truckNumber', label: 'Truck', width: 90, text: ({ truckNumber }) => truckNumber ?? '' },
  { key: 'takenByName', label: 'Taken by', width: 140, text: ({ takenByName }) => takenByName ?? '' },
  { key: 'grade', label: 'Grade', width: 90, text: ({ grade }) => popGradeLabel[grade] },
  { key: 'status', label: 'Status', width: 80, text: ({ status }) => photoStatusLabel[status] },
  { key: 'caption', label: 'Caption', width: 200, text: ({ caption }) => caption },
  { key: 'reason', label: 'Verification', width: 320, text: ({ reason }) => reason },
]

const rowKey = ({ uid }: { uid: string }) => uid
const shiftName = ({ truckNumber, start }: OldOverviewShift) => `${truckNumber} at ${formatClock(start)}`
const photoName = ({ name }: OldOverviewPhoto) => name

/** Shifts and photos of a day as plain tables that update live. */
export default function OldOverviewPage() {
  const { date, today, goTo } = useSchedule()
  // Today is each market's own day, which the server knows.
  const day = date === today ? 'today' : date
  const days = { from: date, to: date, date, goTo, step: (by: 1 | -1) => goTo(addDays(date, by)) }
  return (
    <>
      <Row gap={3} lineGap={2} align="center" wrap className={`${shared.tools} list-tools`}>
        <DateSteps schedule={days} />
        <Soft small>
          {date === today ? 'Today in each market. Updates automatically. ' : ''}Times of a shift are in its market’s
          zone.
        </Soft>
      </Row>
      <Part
        key={`shifts ${date}`}
        title="Shifts"
        empty="No shifts on this day."
        list={oldOverview.shifts}
        day={day}
        columns={shiftColumns}
        nameOf={shiftName}
        isBad={({ isLate }) => isLate}
      />
      <Part
        key={`photos ${date}`}
        title="Photos"
        empty="No photos on this day."
        list={oldOverview.photos}
        day={day}
        columns={photoColumns}
        nameOf={photoName}
        isBad={({ grade }) => grade === 'conflict'}
      />
    </>
  )
}

interface PartProps<Row> {
  title: string
  empty: string
  list: ListOf<Row>
  day: string
  columns: readonly ClassicColumn<Row>[]
  nameOf: (row: Row) => string
  isBad: (row: Row) => boolean
}

function Part<Row extends { uid: string }>({ title, empty, list, day, columns, nameOf, isBad }: PartProps<Row>) {
  const [page, setPage] = useState(1)
  const found = useList(list, { day, page: String(page), pageSize: String(MAX_PAGE_SIZE) })
  const { data: rows, total = 0 } = found.data ?? {}
  return (
    <Stack as="section" gap={2} className={shared.part} aria-label={title}>
      <h2>
        {title} {total > 0 && <Soft className="figures">{formatCount(total)}</Soft>}
      </h2>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <Soft as="p">{empty}</Soft>}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <ClassicTable
          label={title}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          nameOf={nameOf}
          isBad={isBad}
          reload={async () => (await found.refetch()).data?.data ?? []}
        />
      )}
      <div className={shared.footer}>
        {total > 0 && (
          <ExportTable list={list} query={{ day }} columns={columns} name={`${title.toLowerCase()}-${day}`} />
        )}
        <Pager page={page} perPage={MAX_PAGE_SIZE} total={total} onChange={setPage} />
      </div>
    </Stack>
  )
}
