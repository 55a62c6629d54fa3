import { weblog } from '@roadshow/contract/console/web-log'
import type { WebLogEntry } from '@roadshow/contract/console/web-log'
import type { Column } from '../../ui/columns.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { localZone, timestamp } from '../../ui/time.ts'
import { WebLogReport } from './WebLogReport.tsx'

const columns: Column<WebLogEntry>[] = [
  { key: 'at', title: `When (${localZone()})`, width: 190, render: ({ at }) => timestamp(at) },
  { key: 'errorOrigin', title: 'Origin', width: 180, render: ({ errorOrigin }) => errorOrigin },
  { key: 'text', title: 'Error', render: ({ text }) => text },
  { key: 'user', title: 'User', width: 160, render: ({ user }) => user?.name },
  { key: 'address', title: 'Address', width: 130, secondary: true, render: ({ address }) => address },
]

/** The errors that browsers reported in the last 30 days. */
const WebLog = () => (
  <DataTable
    nouns={['report', 'reports']}
    list={weblog.list}
    columns={columns}
    form={WebLogReport}
    empty="No errors in the last 30 days."
  />
)

export default WebLog
