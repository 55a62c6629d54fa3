import type { Client } from '@roadshow/contract/catalog/clients'
import { programs, programStatuses } from '@roadshow/contract/catalog/programs'
import type { Column } from '../../ui/rows/columns.ts'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import styles from './clients.module.css'

const ClientName = ({ client }: { client: Client }) => (
  <span className={styles.name}>
    {client.logo && (
      <img src={client.logo.thumbnailUrl ?? client.logo.url} alt="" className={styles.logo} loading="lazy" />
    )}
    {client.name}
  </span>
)

export const clientColumns: Column<Client>[] = [
  { key: 'name', title: 'Name', width: 260, render: (client) => <ClientName client={client} /> },
  {
    key: 'programsCount',
    title: 'Programs',
    width: 110,
    align: 'right',
    render: ({ uid, programsCount }) => (
      <FigureLink list={programs.list} to="/client-programs" search={{ client: uid, status: [...programStatuses] }}>
        {formatCount(programsCount)}
      </FigureLink>
    ),
  },
  { key: 'contact', title: 'Contact', width: 200, render: ({ contacts }) => contacts[0]?.name },
  { key: 'email', title: 'Email', width: 240, isLong: true, render: ({ contacts }) => contacts[0]?.email },
  { key: 'note', title: 'Note', isExtra: true, staffOnly: true, render: (client) => client.note },
]
