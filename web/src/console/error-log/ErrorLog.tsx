import { errorLog } from '@roadshow/contract/console/error-log'
import type { ErrorLogEntry } from '@roadshow/contract/console/error-log'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { ErrorLogDetails } from './ErrorLogDetails.tsx'

const columns: Column<ErrorLogEntry>[] = [
  { key: 'at', title: `When (${localZone()})`, width: 190, render: ({ at }) => timestamp(at, localZone()) },
  { key: 'errorOrigin', title: 'Origin', width: 180, render: ({ errorOrigin }) => errorOrigin },
  { key: 'text', title: 'Error', render: ({ text }) => text },
  { key: 'user', title: 'User', width: 160, render: ({ user }) => user?.name },
  { key: 'address', title: 'Address', width: 130, secondary: true, render: ({ address }) => address },
]

/** The errors that browsers reported in the last 30 days. */
const ErrorLog = () => (
  <DataTable
    nouns={['report', 'reports']}
    list={errorLog.list}
    columns={columns}
    form={ErrorLogDetails}
    empty="No errors in the last 30 days. What goes wrong in a browser appears here by itself."
  />
)

export default ErrorLog
