import { auditLog } from '@roadshow/contract/accounts/audit-log'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'
import { AuditedRecord } from './AuditedRecord.tsx'

const auditedRecord: readonly SlotPart<SlotProps['auditedRecord']>[] = [
  {
    key: 'record',
    label: 'Record',
    needs: auditLog.list,
    Content: AuditedRecord,
  },
]

export default auditedRecord
