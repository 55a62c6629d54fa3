import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { clients } from '@roadshow/contract/catalog/clients'
import { devices } from '@roadshow/contract/catalog/devices'
import { markets } from '@roadshow/contract/catalog/markets'
import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import { programs } from '@roadshow/contract/catalog/programs'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { users } from '@roadshow/contract/catalog/users'
import { incidents } from '@roadshow/contract/console/incidents'
import { payroll } from '@roadshow/contract/pay/payroll'
import { shifts } from '@roadshow/contract/planning/shifts'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import type { RecordKindName } from '@roadshow/contract/platform/deletion'
import { pops } from '@roadshow/contract/proof/pop'
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

const callsOf: Record<RecordKindName, RecordCalls> = {
  addressSet: addresses,
  artworkSet: artworkSets,
  client: clients,
  program: programs,
  device: devices,
  incident: incidents,
  market: markets,
  payAdjustment: { restore: payroll.restoreAdjustment },
  pixelMap: pixel,
  photo: { history: pops.photoHistory, restore: pops.restorePhoto },
  shift: shifts,
  truck: trucks,
  user: users,
}

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
