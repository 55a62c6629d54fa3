import { positionSourceKindLabel, sendingSourceKinds, sources } from '@roadshow/contract/live/position-sources'
import type { PositionSource } from '@roadshow/contract/live/position-sources'
import { requiredLine } from '@roadshow/contract/platform/common'
import * as z from '@roadshow/contract/platform/zod'
import { Button, Input, Modal, Select } from 'antd'
import { useState } from 'react'
import { useReply } from '../../api/useCall.ts'
import { useSaveOnce } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { NewSourceKey } from './NewSourceKey.tsx'
import type { ShownKey } from './NewSourceKey.tsx'
import { SourceCard } from './SourceCard.tsx'
import { UnknownTrackers } from './UnknownTrackers.tsx'
import styles from './trackers.module.css'

/** Where positions come from: every source with its state and key, and the ids that no truck has. */
export function PositionSources() {
  const found = useReply(sources.list)
  const [shown, setShown] = useState<ShownKey>()
  const mayCreate = useMay(sources.create)
  return (
    <Stack gap={4}>
      <Soft as="p">
        Positions come from MyGeotab and from any number of trackers: a Traccar server, a phone with Traccar Client, any
        device that speaks the OsmAnd protocol, or a program of yours. Each source has a key, which only places its own
        trucks.
      </Soft>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={4} />}
      <List gap={3} divided aria-label="Position sources">
        {found.data?.data.map((source) => (
          <li key={source.uid}>
            <SourceCard source={source} onNewKey={setShown} />
          </li>
        ))}
      </List>
      {mayCreate && <AddSource onCreated={setShown} />}
      <UnknownTrackers />
      <Modal
        open={shown !== undefined}
        title={shown?.source.name}
        footer={null}
        onCancel={() => setShown(undefined)}
        destroyOnHidden
      >
        {shown && <NewSourceKey shown={shown} onDone={() => setShown(undefined)} />}
      </Modal>
    </Stack>
  )
}

const fields = { name: 'Name', kind: 'Type' }
const schema = z.strictObject({ name: requiredLine(80), kind: z.enum(sendingSourceKinds, 'Choose a type.') })
type Typed = z.infer<typeof schema>
const blank: Typed = { name: '', kind: 'osmand' }
const kindOptions = sendingSourceKinds.map((kind) => ({ value: kind, label: positionSourceKindLabel[kind] }))

function AddSource({ onCreated }: { onCreated: (shown: ShownKey) => void }) {
  const create = useSaveOnce(sources.create)
  const edit = useRecordForm({
    base: blank,
    toInput: (typed) => typed,
    fields,
    schema,
    save: (typed) => create.mutateAsync({ body: typed }),
    goOnFrom: () => blank,
    onSaved: ({ data }: { data: { source: PositionSource; key: string } }) => onCreated(data),
  })
  return (
    <EditForm edit={edit} asks="never" name="source" requiredMark={false} className={styles.add ?? ''}>
      <Field name="kind">
        <Select options={kindOptions} />
      </Field>
      <Field name="name">
        <Input placeholder="Such as Our Traccar, or Phones" maxLength={80} autoComplete="off" />
      </Field>
      <Button htmlType="submit" loading={edit.isBusy}>
        Add source
      </Button>
    </EditForm>
  )
}
