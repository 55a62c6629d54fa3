import type { Client } from '@roadshow/contract/catalog/clients'
import type { ClientFacts } from '@roadshow/contract/console/list-facts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { campaigns } from '@roadshow/contract/proof/campaigns'
import { clientColumns } from '../../catalog/clients/clientColumns.tsx'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import type { Column, WithFacts } from '../../ui/rows/columns.ts'
import { dollars } from './shared.tsx'

type Row = WithFacts<Client, ClientFacts>

const answers: Column<Row>[] = [
  {
    key: 'running',
    title: 'Running programs',
    width: 140,
    align: 'right',
    render: ({ uid, facts }) =>
      facts && (
        <FigureLink list={campaigns.list} to="/campaigns" search={{ client: uid, phase: 'running' }}>
          {formatCount(facts.running)}
        </FigureLink>
      ),
  },
  {
    key: 'monthCents',
    title: 'Booked this month',
    width: 150,
    align: 'right',
    render: ({ facts }) => dollars(facts?.monthCents),
  },
]

const [name, ...others] = clientColumns

/** Clients with what runs for them and what it is worth in front. */
export const clientListColumns: readonly Column<Row>[] = [...(name ? [name] : []), ...answers, ...others]
