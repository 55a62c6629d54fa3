import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { playReasonLabel } from '@roadshow/contract/proof/ad-log'
import type { UnassignedPlay } from '@roadshow/contract/proof/ad-log'
import { Link } from '@tanstack/react-router'
import type { Column } from '../../../ui/rows/columns.ts'
import { formatWeekday } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { PlayLink } from './playColumns.tsx'
import notes from './playColumns.module.css'

const columns: Column<UnassignedPlay>[] = [
  {
    key: 'startedAt',
    title: 'Played',
    width: 190,
    render: (play) => <PlayLink of={{ truck: play.truck.uid }} play={play} dayWord="counts for" />,
  },
  { key: 'truck', title: 'Truck', width: 84, render: ({ truck }) => truck.name },
  { key: 'side', title: 'Side', width: 130, render: ({ side }) => truckSideLabel[side] },
  { key: 'artwork', title: 'Artwork', render: ({ artwork }) => artwork.name },
  {
    key: 'program',
    title: 'Program',
    render: ({ program, client }) => (
      <>
        {program.name} <small className={notes.note}>{client.name}</small>
      </>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    width: 300,
    render: ({ reason }) => {
      const why = reason ? playReasonLabel[reason] : EM_DASH
      return <span title={why}>{why}</span>
    },
  },
]

/**
 * Leads to the shifts of the truck around a play, where one is planned or corrected. Those of the day before are listed,
 * too: a night shift may be the missing one.
 */
const nextStep: Column<UnassignedPlay> = {
  key: 'next',
  title: 'Next step',
  width: 110,
  render: ({ truck, day }) => {
    const from = addDays(day, -1)
    return (
      <Link
        to="/schedule/program-schedule"
        search={{ view: 'list', truck: truck.uid, from, to: day }}
        aria-label={`See shifts of ${truck.name}, ${formatWeekday(from)} – ${formatWeekday(day)}`}
      >
        See shifts
      </Link>
    )
  },
}

/** The columns of the unassigned plays; users who may read the schedule get the way to it. */
export const unassignedColumns = (mayReadShifts: boolean): Column<UnassignedPlay>[] =>
  mayReadShifts ? [...columns, nextStep] : columns
