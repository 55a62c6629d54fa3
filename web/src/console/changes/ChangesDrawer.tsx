import { changeKinds, changes } from '@roadshow/contract/console/changes'
import type { ChangeKind, FeedChange } from '@roadshow/contract/console/changes'
import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { Link } from '@tanstack/react-router'
import { Button, Drawer, Select } from 'antd'
import { useId, useState } from 'react'
import { useReply } from '../../api/useCall.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { ChangedFields } from '../../ui/record/HistoryTab.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import styles from './ChangesDrawer.module.css'

const PER_PAGE = 50
const kindOptions = (Object.keys(changeKinds) as ChangeKind[]).map((value) => ({
  value,
  label: changeKinds[value].label,
}))

type Named = FeedChange['record']

const inSentence = (label: string) => (label.startsWith('POP') ? label : label.toLowerCase())

interface ChangesDrawerProps {
  /** The kind of records to begin with; anything else for all. */
  open: string
  onClose: () => void
}

/** Who changed what on a day, beside any screen. */
export default function ChangesDrawer({ open, onClose }: ChangesDrawerProps) {
  const today = localDay(localZone())
  const [day, setDay] = useState(today)
  const [kind, setKind] = useState<ChangeKind | undefined>(open in changeKinds ? (open as ChangeKind) : undefined)
  const [by, setBy] = useState<Named>()
  const [record, setRecord] = useState<Named>()
  const [page, setPage] = useState(1)
  const [dayId, kindId] = [useId(), useId()]
  const query = {
    from: day,
    to: day,
    timeZone: localZone(),
    page: String(page),
    pageSize: String(PER_PAGE),
    ...(kind && { kind }),
    ...(by && { by: by.uid }),
    ...(record && { record: record.uid }),
  }
  const found = useReply(changes.list, { query }, { keepsOld: true })
  const first =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      setPage(1)
      set(value)
    }
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title="Changes">
      <Stack gap={4}>
        <Row gap={3} lineGap={2} align="end" wrap role="search" aria-label="Which changes">
          <Stack gap={1}>
            <label htmlFor={dayId}>Day</label>
            <Row gap={1}>
              <DayPicker id={dayId} value={day} onChange={(next) => next && first(setDay)(next)} />
              <Button onClick={() => first(setDay)(addDays(today, -1))}>Yesterday</Button>
            </Row>
          </Stack>
          <Stack gap={1}>
            <label htmlFor={kindId}>Records</label>
            <Select
              id={kindId}
              className={styles.choice ?? ''}
              allowClear
              placeholder="All kinds"
              value={kind ?? null}
              options={kindOptions}
              onChange={(next) => first(setKind)(next ?? undefined)}
            />
          </Stack>
          {by && (
            <Button onClick={() => first(setBy)(undefined)} aria-label={`Everyone instead of ${by.name}`}>
              {by.name} ×
            </Button>
          )}
          {record && (
            <Button onClick={() => first(setRecord)(undefined)} aria-label={`All records instead of ${record.name}`}>
              {record.name} ×
            </Button>
          )}
        </Row>
        {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {!found.data && !found.isError && <SkeletonLines rows={6} />}
        {found.data && (
          <>
            <Soft as="p" role="status">
              {found.data.total === 0 ? 'No changes on this day.' : countOf(found.data.total, 'change')}. Times are in{' '}
              {localZone()}.
            </Soft>
            <List as="ol" gap={3} divided className={styles.changes}>
              {found.data.data.map((change) => (
                <li key={`${change.at} ${change.kind} ${change.record.uid} ${change.by ?? ''}`}>
                  <Change change={change} onRecord={first(setRecord)} onBy={first(setBy)} />
                </li>
              ))}
            </List>
            <Pager page={page} perPage={PER_PAGE} total={found.data.total} onChange={setPage} />
          </>
        )}
      </Stack>
    </Drawer>
  )
}

interface ChangeProps {
  change: FeedChange
  onRecord: (record: Named) => void
  onBy: (user: Named) => void
}

function Change({ change, onRecord, onBy }: ChangeProps) {
  const { label, path } = changeKinds[change.kind]
  const { uid, name } = change.record
  const by = change.by ?? 'The system'
  return (
    <Stack gap={1}>
      <p>
        <span className="figures">{formatDateTime(change.at, localZone())}</span> · <strong>{by}</strong>{' '}
        {change.action} {inSentence(label)}{' '}
        {path && change.action !== 'deleted' ? (
          <Link to={path} search={{ open: uid, tab: 'history' }}>
            {name}
          </Link>
        ) : (
          name
        )}
      </p>
      {/* What a new record says is in the record. */}
      {change.action !== 'created' && <ChangedFields change={change} fields={{}} />}
      <Row gap={2} wrap>
        <Button type="link" size="small" onClick={() => onRecord(change.record)} aria-label={`Only ${name}`}>
          Only this {inSentence(label)}
        </Button>
        {change.byUid && (
          <Button type="link" size="small" onClick={() => onBy({ uid: change.byUid ?? '', name: by })}>
            Only by {by}
          </Button>
        )}
      </Row>
    </Stack>
  )
}
