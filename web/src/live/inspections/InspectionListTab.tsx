import { inspectionItems } from '@roadshow/contract/live/inspections'
import { Button } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { RecordDrawer } from '../../ui/record/RecordDrawer.tsx'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import styles from '../../ui/record/recordButtons.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { InspectionItemForm } from './InspectionItemForm.tsx'

/** The list that drivers inspect by, for a tab of the settings; each item opens its own drawer. */
export function InspectionListTab() {
  const [open, setOpen] = useState<string>()
  const mayCreate = useMay(inspectionItems.create)
  const found = useList(inspectionItems.list, { sort: 'position', pageSize: '200' })
  const rows = found.data?.data
  const create = mayCreate && <Button onClick={() => setOpen(NEW_RECORD)}>New item</Button>
  return (
    <Stack gap={3}>
      <p>
        <Soft>Drivers go through this list on their phone before a shift.</Soft>
      </p>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={6} />}
      {rows?.length === 0 && (
        <EmptyState action={create}>
          No items yet. Drivers are not asked for an inspection until there is one.
        </EmptyState>
      )}
      <List className={styles.items} aria-label="Inspection list">
        {rows?.map(({ uid, name, nameEs, isActive }) => (
          <li key={uid}>
            <button type="button" onClick={() => setOpen(uid)}>
              {name}
              <span>
                <span lang="es">{nameEs}</span>
                {!isActive && ', left out'}
              </span>
            </button>
          </li>
        ))}
      </List>
      {rows && rows.length > 0 && <div>{create}</div>}
      <RecordDrawer form={InspectionItemForm} open={open} onClose={() => setOpen(undefined)} />
    </Stack>
  )
}
