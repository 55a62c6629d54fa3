import { auditKindLabel, auditLog } from '@roadshow/contract/accounts/audit-log'
import type { AuditEntry } from '@roadshow/contract/accounts/audit-log'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { SlotParts } from '../../ui/slots.tsx'
import { formatDay, localZone, timestamp } from '@roadshow/contract/platform/dates'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    /** A record that was deleted or restored. */
    auditedRecord: { entry: AuditEntry; record: NonNullable<AuditEntry['record']> }
  }
}

/** Entries keep days as they were written down: those of pay periods, and of the filters of exports. */
const inWords = (text: string) => text.replaceAll(/\b\d{4}-(?:0[1-9]|1[0-2])-\d\d\b/g, (day) => formatDay(day))

const columns: Column<AuditEntry>[] = [
  { key: 'at', title: `When (${localZone()})`, width: 190, render: ({ at }) => timestamp(at, localZone()) },
  { key: 'kind', title: 'What', width: 220, render: ({ kind }) => auditKindLabel[kind] },
  { key: 'by', title: 'By', width: 140, render: ({ by }) => by?.name },
  {
    key: 'subject',
    title: 'Subject',
    width: 250,
    isLong: true,
    render: (entry) => (
      <>
        {inWords(entry.subject)}
        {entry.record && <SlotParts name="auditedRecord" props={{ entry, record: entry.record }} />}
      </>
    ),
  },
  { key: 'detail', title: 'Detail', render: ({ detail }) => inWords(detail) },
  { key: 'address', title: 'Address', width: 120, secondary: true, render: ({ address }) => address },
  { key: 'requestId', title: 'Request', width: 100, secondary: true, render: ({ requestId }) => requestId.slice(0, 8) },
]

const filters: Filter[] = [{ key: 'kind', label: 'What', words: auditKindLabel, inMenu: true }]

/** Sign-ins, exports, deletions and changes of access. Entries are never edited. */
const AuditLog = () => (
  <DataTable
    nouns={['entry', 'entries']}
    list={auditLog.list}
    columns={columns}
    filters={filters}
    empty="No entries yet. Sign-ins, exports, changed access and deleted records appear here by themselves."
  />
)

export default AuditLog
