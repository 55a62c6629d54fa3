import { addresses } from '@roadshow/contract/catalog/addresses'
import { sdReport } from '@roadshow/contract/proof/sd-report'
import type { RankedProgram } from '@roadshow/contract/proof/sd-report'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { formatCount } from '@roadshow/contract/platform/figures'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import { Stack } from '../../../ui/layout.tsx'
import type { Column } from '../../../ui/rows/columns.ts'
import { playTimeText } from '../reportNumbers.ts'
import { AddressPlays } from './AddressPlays.tsx'
import shared from '../reports.module.css'

const number = (key: keyof RankedProgram, title: string, width: number, render: Column<RankedProgram>['render']) =>
  ({ key, title, width, align: 'right', render }) as const

/** The columns of the ranking; a program leads to its report of the same market and days. */
const rankingColumns = (given: RankedDays): Column<RankedProgram>[] => [
  {
    key: 'name',
    title: 'Program',
    render: ({ uid, name }) => (
      <Link to="." search={{ program: uid, ...given }}>
        {name}
      </Link>
    ),
  },
  { key: 'client', title: 'Client', render: ({ client }) => client.name },
  number('plays', 'Plays near addresses', 170, ({ uid, plays }) => (
    <AddressPlays of={{ program: uid, ...given }} plays={plays} />
  )),
  number('seconds', 'Time shown', 120, ({ seconds }) => playTimeText(seconds)),
  number('approaches', 'Approaches', 118, ({ approaches }) => formatCount(approaches)),
  number('reached', 'Addresses reached', 150, ({ reached }) => formatCount(reached)),
  number('trucks', 'Trucks', 88, ({ trucks }) => formatCount(trucks)),
]

type RankedDays = Partial<Record<'market' | 'from' | 'to', string>>

/** All programs by their plays near SD addresses, most first. */
export function ProgramRanking({ market, from, to }: Record<'market' | 'from' | 'to', string | undefined>) {
  const columns = useMemo(
    () => rankingColumns({ ...(market && { market }), ...(from && { from }), ...(to && { to }) }),
    [market, from, to],
  )
  return (
    <Stack as="section" gap={3} className={shared.part} aria-labelledby="sd-programs">
      <h2 id="sd-programs">Programs</h2>
      <DataTable
        nouns={['program', 'programs']}
        list={sdReport.ranking}
        columns={columns}
        next={{ label: 'Open SD addresses', needs: addresses.create, to: '/gps-addresses', search: {} }}
        empty="No truck came near an SD address of its program on these days. Choose other days or another market."
      />
    </Stack>
  )
}
