import type { Program } from '@roadshow/contract/catalog/programs'
import type { ProgramFacts } from '@roadshow/contract/console/list-facts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { programColumns } from '../../catalog/programs/programColumns.tsx'
import { PaceTag } from '../../proof/delivery/DeliveryLines.tsx'
import type { Column, WithFacts } from '../../ui/rows/columns.ts'
import { dollars, NextShift } from './shared.tsx'

type Row = WithFacts<Program, ProgramFacts>

const [name, ...others] = programColumns

const answers: Column<Row>[] = [
  { key: 'pace', title: 'Pace', width: 172, inBrief: true, render: ({ facts }) => facts && <PaceTag {...facts} /> },
  { key: 'nextShift', title: 'Next shift', width: 292, render: ({ facts }) => <NextShift facts={facts} /> },
  {
    key: 'booked',
    title: 'Booked',
    width: 118,
    align: 'right',
    render: ({ facts }) => dollars(facts?.bookedCents),
  },
  {
    key: 'delivered',
    title: 'Delivered',
    width: 118,
    align: 'right',
    render: ({ facts }) => dollars(facts?.deliveredCents),
  },
  {
    key: 'trucksOut',
    title: 'Trucks out',
    width: 96,
    align: 'right',
    secondary: true,
    render: ({ facts }) => facts && formatCount(facts.trucksOut),
  },
  {
    key: 'shiftsPlanned',
    title: 'Shifts planned',
    width: 110,
    align: 'right',
    isExtra: true,
    render: ({ facts }) => facts && formatCount(facts.shiftsPlanned),
  },
]

const SECONDARY = ['startsOn', 'endsOn', 'markets']

/** Programs with what their reader came to learn in front: pace, next shift, value. */
export const programListColumns: readonly Column<Row>[] = [
  ...(name ? [{ ...name, width: 250 }] : []),
  ...answers,
  ...others.map((column): Column<Row> => (SECONDARY.includes(column.key) ? { ...column, secondary: true } : column)),
]
