import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { truckTrackers } from '@roadshow/contract/live/position-sources'
import type { UnknownTracker } from '@roadshow/contract/live/position-sources'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useReply } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import styles from './trackers.module.css'

/** Ids that sources send and that belong to no truck yet: each can be given to one. */
export function UnknownTrackers() {
  const found = useReply(truckTrackers.unknown)
  const all = found.data?.data ?? []
  if (all.length === 0) return null
  return (
    <Stack as="section" gap={2} aria-labelledby="unknown-trackers">
      <h3 id="unknown-trackers">Unknown ids</h3>
      <Soft as="p" small>
        These ids send positions and belong to no truck. Give each to its truck; positions count from then on.
      </Soft>
      <List gap={2} divided aria-label="Unknown ids">
        {all.map((tracker) => (
          <li key={`${tracker.source.uid} ${tracker.externalId}`}>
            <UnknownRow tracker={tracker} />
          </li>
        ))}
      </List>
    </Stack>
  )
}

const truckLookup: Lookup<Truck> = { list: trucks.list, sort: 'number', nameOf: ({ number }) => number }

function UnknownRow({ tracker: { source, externalId, fixes, lastAt } }: { tracker: UnknownTracker }) {
  const mayGive = useMay(truckTrackers.add)
  const [truckUid, setTruckUid] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const add = useSave(truckTrackers.add)
  const give = async () => {
    if (truckUid === undefined) return
    setProblem(undefined)
    try {
      await add.mutateAsync({ params: { uid: truckUid }, body: { sourceUid: source.uid, externalId } })
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }
  return (
    <Stack gap={1}>
      <Row gap={3} between align="center" wrap>
        <div>
          <div>
            <strong className={styles.id}>{externalId}</strong> <span>{source.name}</span>
          </div>
          <Soft small className="figures">
            {countOf(fixes, 'position')}, last {formatDateTime(lastAt, localZone())}
          </Soft>
        </div>
        {mayGive && (
          <Row gap={2}>
            <RecordSelect
              lookup={truckLookup}
              className={styles.give ?? ''}
              aria-label={`Truck for ${externalId}`}
              placeholder="Choose a truck"
              value={truckUid ?? ''}
              onChange={(uid: string | undefined) => setTruckUid(uid)}
            />
            <Button disabled={!truckUid} loading={add.isPending} onClick={() => void give()}>
              Give to truck
            </Button>
          </Row>
        )}
      </Row>
      {problem && <Alert type="error" role="alert" title={problem} />}
    </Stack>
  )
}
