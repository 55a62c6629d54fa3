import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import type { BusinessFigures, BusinessProgram, BusinessWeek } from '@roadshow/contract/console/business'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { formatDay, formatMonth } from '@roadshow/contract/platform/dates'
import { formatCount, formatDollars } from '@roadshow/contract/platform/figures'
import { Link } from '@tanstack/react-router'
import { Drawer } from 'antd'
import { PaceTag } from '../../proof/delivery/DeliveryLines.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { useFocusReturn } from '../../ui/record/useFocusReturn.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { RowLink } from '../../ui/rows/RowLink.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'

const dollars = (cents: number | null) => (cents === null ? EM_DASH : formatDollars(cents))

/** The last line has no program. */
type ProgramRow = Omit<BusinessProgram, 'program' | 'client'> & Partial<Pick<BusinessProgram, 'program' | 'client'>>

const programColumns: FactColumn<ProgramRow>[] = [
  {
    title: 'Program',
    render: ({ program }) =>
      program ? (
        <RowLink uid={program.uid} to="/client-programs">
          {program.name}
        </RowLink>
      ) : (
        'All'
      ),
  },
  { title: 'Client', from: 'tablet', render: ({ client }) => client?.name },
  { title: 'Pace', render: ({ program, state, pace }) => program && <PaceTag state={state} pace={pace} /> },
  { title: 'Booked', isNumber: true, render: ({ bookedCents }) => dollars(bookedCents) },
  { title: 'Delivered', isNumber: true, render: ({ deliveredCents }) => dollars(deliveredCents) },
]

const lastDay = ({ week }: BusinessWeek) => addDays(week, 6)

const weekColumns: FactColumn<BusinessWeek>[] = [
  { title: 'Week of', render: ({ week }) => formatDay(week) },
  { title: 'Booked', isNumber: true, from: 'tablet', render: ({ bookedCents }) => dollars(bookedCents) },
  { title: 'Delivered', isNumber: true, render: ({ deliveredCents }) => dollars(deliveredCents) },
  { title: 'On pace', isNumber: true, render: ({ onPace, running }) => `${onPace} of ${running}` },
  {
    title: 'Late starts',
    isNumber: true,
    render: (row) => (
      <Link
        to="/schedule/program-schedule"
        search={{ view: 'list', startOutcome: ['late', 'noShow'], from: row.week, to: lastDay(row) }}
      >
        {formatCount(row.late)}
      </Link>
    ),
  },
  {
    title: 'Dark trucks',
    isNumber: true,
    render: (row) => (
      <Link
        to="/overview"
        search={{ kind: 'noPlays', status: ['open', 'inProgress', 'resolved'], from: row.week, to: lastDay(row) }}
      >
        {formatCount(row.dark)}
      </Link>
    ),
  },
]

interface BusinessDrawerProps {
  open: boolean
  figures: BusinessFigures
  /** `weeks` begins with these. */
  part: string
  onClose: () => void
}

/** The rows behind the figures of the business: programs of this month, and twelve weeks. */
export default function BusinessDrawer({ open, figures, part, onClose }: BusinessDrawerProps) {
  useFocusReturn(open)
  const { programs, weeks, month, bookedCents, deliveredCents } = figures
  const total: ProgramRow = { bookedCents, deliveredCents, state: 'none', pace: null }
  const ofPrograms = (
    <FactTable
      key="programs"
      caption={`Programs in ${formatMonth(month)}`}
      columns={programColumns}
      rows={programs}
      rowKey={({ program }) => program?.uid ?? ''}
      total={total}
      isWide
    />
  )
  const ofWeeks = (
    <FactTable
      key="weeks"
      caption="The last 12 weeks"
      columns={weekColumns}
      rows={weeks.toReversed()}
      rowKey={({ week }) => week}
      isWide
    />
  )
  const now = (
    <Row key="now" gap={4} wrap>
      <Link to="/overview" search={{ stage: 'late' }}>
        Shifts that are late now
      </Link>
      <Link to="/overview" search={{ kind: 'noPlays', snoozed: 'no' }}>
        Trucks that are dark now
      </Link>
    </Row>
  )
  return (
    <Drawer open={open} onClose={onClose} size={LARGE_DRAWER_WIDTH} title="The business">
      <Stack gap={6}>{part === 'weeks' ? [now, ofWeeks, ofPrograms] : [ofPrograms, ofWeeks]}</Stack>
    </Drawer>
  )
}
