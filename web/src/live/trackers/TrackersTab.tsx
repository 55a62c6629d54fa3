import { positionSourceKindLabel, truckTrackers } from '@roadshow/contract/live/position-sources'
import type { TruckTracker } from '@roadshow/contract/live/position-sources'
import { requiredLine } from '@roadshow/contract/platform/common'
import * as z from '@roadshow/contract/platform/zod'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { Alert, Button, Input, Select } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useReply } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import styles from './trackers.module.css'

/** Where the positions of a truck come from: its id at each source, and the newest position from there. */
export function TrackersTab({ truckUid }: { truckUid: string }) {
  const found = useReply(truckTrackers.get, { params: { uid: truckUid } })
  const mayChange = useMay(truckTrackers.add)
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={3} />
  const { trackers, sources } = found.data.data
  return (
    <Stack gap={3}>
      <Soft as="p" small>
        With several trackers, the best one counts in each minute: trackers come before the driver’s phone, and the
        phone before the player. Times are in {localZone()}.
      </Soft>
      {trackers.length === 0 && <p>No tracker yet. Miles and verified plays need one.</p>}
      <List gap={2} divided aria-label="Trackers">
        {trackers.map((tracker) => (
          <TrackerRow
            key={`${tracker.source.uid} ${tracker.externalId}`}
            tracker={tracker}
            truckUid={truckUid}
            mayRemove={mayChange && tracker.isRemovable}
          />
        ))}
      </List>
      {mayChange && sources.length > 0 && <AddTracker truckUid={truckUid} sources={sources} />}
      {mayChange && sources.length === 0 && (
        <Soft as="p" small>
          An admin can add sources such as Traccar or a phone with Traccar Client in Settings, under Position sources.
          The Geotab id is a field of the truck.
        </Soft>
      )}
    </Stack>
  )
}

const lastFixText = ({ lastFixAt, kind }: TruckTracker): string => {
  if (lastFixAt) return `Newest position ${formatDateTime(lastFixAt, localZone())}`
  // Beside other sources, MyGeotab's own newest position is not known apart.
  return kind === 'geotab' ? '' : 'No position yet'
}

interface TrackerRowProps {
  tracker: TruckTracker
  truckUid: string
  mayRemove: boolean
}

function TrackerRow({ tracker, truckUid, mayRemove }: TrackerRowProps) {
  const { source, kind, externalId } = tracker
  const [isAsking, setIsAsking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const remove = useSave(truckTrackers.remove)
  const act = async () => {
    try {
      await remove.mutateAsync({ params: { uid: truckUid }, query: { sourceUid: source.uid, externalId } })
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setIsAsking(false)
  }
  const kindText = positionSourceKindLabel[kind]
  return (
    <li>
      <Row gap={3} between align="center" wrap>
        <div>
          <div>
            <strong>{source.name}</strong> <span className="figures">{externalId}</span>
          </div>
          <Soft small className="figures">
            {[kindText === source.name ? '' : kindText, lastFixText(tracker)].filter(Boolean).join(', ')}
          </Soft>
        </div>
        {mayRemove && <Button onClick={() => setIsAsking(true)}>Remove</Button>}
      </Row>
      {problem && <Alert type="error" role="alert" title={problem} />}
      <Confirm
        open={isAsking}
        question={`Remove ${externalId} from this truck?`}
        text={`Positions that ${source.name} sends of this id no longer place the truck. Its earlier positions stay.`}
        act="Remove"
        busy={remove.isPending}
        onAct={() => void act()}
        onCancel={() => setIsAsking(false)}
      />
    </li>
  )
}

const fields = { sourceUid: 'Source', externalId: 'Id there' }
const schema = z.strictObject({ sourceUid: z.string().min(1, 'Choose a source.'), externalId: requiredLine(100) })

interface AddTrackerProps {
  truckUid: string
  sources: readonly { uid: string; name: string }[]
}

function AddTracker({ truckUid, sources }: AddTrackerProps) {
  const add = useSave(truckTrackers.add)
  const blank = { sourceUid: sources.length === 1 ? (sources[0]?.uid ?? '') : '', externalId: '' }
  const edit = useRecordForm({
    base: blank,
    toInput: (typed) => typed,
    fields,
    schema,
    save: (typed) => add.mutateAsync({ params: { uid: truckUid }, body: typed }),
    goOnFrom: () => blank,
    onSaved: () => undefined,
  })
  return (
    <EditForm edit={edit} asks="never" name="tracker" requiredMark={false} className={styles.add ?? ''}>
      <Field name="sourceUid">
        <Select options={sources.map(({ uid, name }) => ({ value: uid, label: name }))} placeholder="Choose" />
      </Field>
      <Field name="externalId">
        <Input placeholder="IMEI, serial number or name" maxLength={100} spellCheck={false} autoComplete="off" />
      </Field>
      <Button htmlType="submit" loading={edit.isBusy}>
        Add tracker
      </Button>
    </EditForm>
  )
}
