import { deletableRecords } from '@roadshow/contract/console/deletable-records'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import type { RecordKindName } from '@roadshow/contract/platform/record-kinds'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { HistoryTab } from '../../ui/record/HistoryTab.tsx'
import type { HistoryCall, RestoreCall } from '../../ui/record/records.ts'
import { useRestore } from '../../ui/record/useRestore.ts'
import type { SlotProps } from '../../ui/slots.tsx'

interface RecordCalls {
  /** None where the records have no history of their own. */
  history?: HistoryCall
  restore: RestoreCall
}

const callsOf: Record<RecordKindName, RecordCalls> = deletableRecords

/** A deleted record beside its entry of the audit log: its history, and the button that restores it. */
export function AuditedRecord({ entry: { kind, subject, detail }, record }: SlotProps['auditedRecord']) {
  const { history, restore } = callsOf[record.kind]
  const [isOpen, setOpen] = useState(false)
  const mayRead = useMay(history)
  const mayRestore = useMay(restore) && kind.endsWith('Deleted')
  const bringBack = useRestore()
  if (!mayRead && !mayRestore) return null
  return (
    <>
      <Button size="small" type="link" onClick={() => setOpen(true)} aria-label={`Open ${subject}`}>
        Open
      </Button>
      <Drawer open={isOpen} onClose={() => setOpen(false)} size={DRAWER_WIDTH} title={subject} destroyOnHidden>
        <Stack gap={4}>
          {detail && <Soft as="p">{detail}</Soft>}
          {mayRestore && (
            <div>
              <Button onClick={() => void bringBack(restore, record.uid, subject)}>Restore</Button>
            </div>
          )}
          {mayRead && history && <HistoryTab history={history} uid={record.uid} fields={{}} />}
        </Stack>
      </Drawer>
    </>
  )
}
