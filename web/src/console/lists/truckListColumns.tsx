import type { TruckFacts } from '@roadshow/contract/console/list-facts'
import { truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { fleet } from '@roadshow/contract/live/fleet'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { truckColumns, truckStateTone } from '../../catalog/trucks/truckColumns.tsx'
import { LiveStateTag } from '../../live/fleet/truckState.tsx'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import type { Column, WithFacts } from '../../ui/rows/columns.ts'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { NextShift } from './shared.tsx'

type Row = WithFacts<Truck, TruckFacts>

/** What a truck does; one that is not in use says so. */
function TruckNow({ state, facts }: Row) {
  if (state !== 'active' && (!facts?.shift || facts.state === null)) {
    return <StateTag tone={truckStateTone[state]}>{truckStateLabel[state]}</StateTag>
  }
  return facts?.state && <LiveStateTag state={facts.state} />
}

const program: Column<Row> = {
  key: 'program',
  title: 'Program',
  width: 220,
  secondary: true,
  render: ({ facts }) => facts && (facts.shift?.program ?? '–'),
}

const answers: Column<Row>[] = [
  { key: 'now', title: 'Now', width: 216, render: (truck) => <TruckNow {...truck} /> },
  { key: 'driver', title: 'Driver', width: 170, render: ({ facts }) => facts && (facts.shift?.driver ?? '–') },
  { key: 'nextShift', title: 'Next shift', width: 292, render: ({ facts }) => <NextShift facts={facts} /> },
  {
    key: 'issues',
    title: 'Open issues',
    width: 104,
    align: 'right',
    render: ({ uid, facts }) =>
      facts &&
      (facts.openIssues > 0 ? (
        <FigureLink list={fleet.issues} to="/overview" search={{ truck: uid }} hash="truck-issues">
          {formatCount(facts.openIssues)}
        </FigureLink>
      ) : (
        formatCount(0)
      )),
  },
  {
    key: 'weekMiles',
    title: 'Miles this week',
    width: 124,
    align: 'right',
    render: ({ facts }) => facts && (facts.weekMetres === null ? '–' : formatMileCount(facts.weekMetres)),
  },
]

const [number, ...others] = truckColumns

/** Trucks with what their reader came to learn in front; what is only kept is shown to those who choose it. */
export const truckListColumns: readonly Column<Row>[] = [
  ...(number ? [number] : []),
  ...answers,
  ...others.flatMap((column): Column<Row>[] =>
    column.key === 'homeMarket' ? [{ ...column, secondary: true }, program] : [{ ...column, isExtra: true }],
  ),
]
