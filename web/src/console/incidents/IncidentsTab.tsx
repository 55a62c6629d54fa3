import { incidents, STATUS_PATH } from '@roadshow/contract/console/incidents'
import { Button } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { RecordDrawer } from '../../ui/record/RecordDrawer.tsx'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import styles from '../../ui/record/recordButtons.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { IncidentForm } from './IncidentForm.tsx'

/** What the status page says, for a tab of the settings; each incident opens its own drawer. */
export function IncidentsTab() {
  const [open, setOpen] = useState<string>()
  const mayCreate = useMay(incidents.create)
  const found = useList(incidents.list, { sort: '-startsAt', pageSize: '50' })
  const rows = found.data?.data
  const create = mayCreate && <Button onClick={() => setOpen(NEW_RECORD)}>New incident</Button>
  return (
    <Stack gap={3}>
      <p>
        <Soft>
          The{' '}
          <a href={STATUS_PATH} target="_blank" rel="noreferrer">
            status page
          </a>{' '}
          tells everyone whether everything works. Add what they should know: outages and planned maintenance.
        </Soft>
      </p>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={4} />}
      {rows?.length === 0 && <EmptyState action={create}>No incidents. The status page says so.</EmptyState>}
      <List className={styles.items} aria-label="Incidents">
        {rows?.map(({ uid, title, startsAt, endsAt }) => (
          <li key={uid}>
            <button type="button" onClick={() => setOpen(uid)}>
              {title}
              <span>
                {formatDateTime(startsAt, localZone())}
                {endsAt ? ` to ${formatDateTime(endsAt, localZone())}` : ', still going on'}
              </span>
            </button>
          </li>
        ))}
      </List>
      {rows && rows.length > 0 && <div>{create}</div>}
      <RecordDrawer form={IncidentForm} open={open} onClose={() => setOpen(undefined)} />
    </Stack>
  )
}
