import { daySheet } from '@roadshow/contract/planning/day-sheet'
import type { SheetShift } from '@roadshow/contract/planning/day-sheet'
import { windowText } from '@roadshow/contract/planning/stop-words'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { formatClocks, formatWeekday } from '@roadshow/contract/platform/dates'
import { countOf, formatPhone } from '@roadshow/contract/platform/figures'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { DayPicker } from '../../../ui/form/DayPicker.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { FactTable } from '../../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../../ui/rows/FactTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { groupSheet } from './groupSheet.ts'
import type { SheetGrouping } from './groupSheet.ts'
import styles from './DaySheet.module.css'

const groupings: { value: SheetGrouping; label: string }[] = [
  { value: 'market', label: 'By market' },
  { value: 'driver', label: 'By driver' },
]

interface DaySheetProps {
  date: string
  market: UrlSearch[string]
  onDate: (date: string) => void
  onClose: () => void
}

/** The papers of a day: a sheet for each market, or a page for each driver. */
export default function DaySheet({ date, market, onDate, onClose }: DaySheetProps) {
  const [grouping, setGrouping] = useState<SheetGrouping>('market')
  const found = useCall(daySheet.get, { query: { date, ...(market !== undefined && { market }) } }, { keepsOld: true })
  const groups = groupSheet(found.data ?? [], grouping)
  return (
    <Stack gap={4}>
      <Row gap={3} lineGap={2} align="center" wrap className="outlines-segmented" data-print="no">
        <Row gap={1}>
          <Button aria-label="Earlier" onClick={() => onDate(addDays(date, -1))}>
            ‹
          </Button>
          <Button aria-label="Later" onClick={() => onDate(addDays(date, 1))}>
            ›
          </Button>
          <DayPicker aria-label="Day" value={date} onChange={(next) => next && onDate(next)} />
        </Row>
        <Segmented<SheetGrouping> aria-label="Sheets" options={groupings} value={grouping} onChange={setGrouping} />
        <Button type="primary" disabled={groups.length === 0} onClick={() => print()}>
          Print
        </Button>
        <Button onClick={onClose}>Back to the schedule</Button>
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={9} />}
      {found.data && groups.length === 0 && (
        <EmptyState action={<Button onClick={onClose}>Back to the schedule</Button>}>
          {`No shifts on ${formatWeekday(date)}. The sheet of a day lists its shifts for paper.`}
        </EmptyState>
      )}
      {groups.map(({ key, name, detail, shifts }) => (
        <section key={key} className={styles.sheet} aria-label={name}>
          <header>
            <h2>{name}</h2>
            <p>
              <strong>{formatWeekday(date)}</strong> · {countOf(shifts.length, 'shift')}
              {detail && ` · ${detail}`}
            </p>
          </header>
          <FactTable
            label={`Shifts: ${name}`}
            columns={columns.filter(({ hiddenBy }) => hiddenBy !== grouping)}
            rows={shifts}
            rowKey={({ uid }) => uid}
            isFramed
            isWide
          />
          <Contacts shifts={shifts} />
        </section>
      ))}
    </Stack>
  )
}

const columns: (FactColumn<SheetShift> & { hiddenBy?: SheetGrouping })[] = [
  {
    title: 'Time',
    render: ({ start, end }) => <span className={styles.whole}>{formatClocks({ start, end })}</span>,
  },
  {
    title: 'Truck',
    render: ({ truck: { number, plate } }) => (
      <>
        <strong>{number}</strong>{' '}
        {plate && (
          <Soft small className={styles.whole}>
            {plate}
          </Soft>
        )}
      </>
    ),
  },
  {
    title: 'Driver',
    hiddenBy: 'driver',
    render: ({ driver: { name, phone } }) => (
      <>
        {name}
        {phone && (
          <Soft as="div" className={styles.whole}>
            {formatPhone(phone)}
          </Soft>
        )}
      </>
    ),
  },
  {
    title: 'Program',
    render: ({ program, client }) => (
      <>
        {program.name}
        <Soft as="div">{client.name}</Soft>
      </>
    ),
  },
  { title: 'Market', hiddenBy: 'market', render: ({ market }) => market.name },
  { title: 'Yard', render: ({ yard }) => yard },
  {
    title: 'Stops and note',
    render: ({ stops, note }) => (
      <>
        {stops.map((stop) => (
          <div key={`${stop.name} ${stop.from}`}>
            {windowText(stop)} {stop.name}
            {stop.note && <Soft> {stop.note}</Soft>}
          </div>
        ))}
        {note && <Soft as="div">{note}</Soft>}
      </>
    ),
  },
]

/** Whom to call about the programs of a sheet. */
function Contacts({ shifts }: { shifts: readonly SheetShift[] }) {
  const clients = new Map(shifts.map(({ client, contacts }) => [client.uid, { name: client.name, contacts }]))
  const named = [...clients.values()].filter(({ contacts }) => contacts.length > 0)
  if (named.length === 0) return null
  return (
    <p className={styles.contacts}>
      <strong>Contacts</strong>{' '}
      {named.map(({ name, contacts }) => (
        <span key={name}>
          {name}: {contacts.map((each) => `${each.name} ${formatPhone(each.phone)}`).join(', ')}.{' '}
        </span>
      ))}
    </p>
  )
}
