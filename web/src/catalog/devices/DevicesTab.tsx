import { deviceInput, deviceKindLabel, devices, screenPairings } from '@roadshow/contract/catalog/devices'
import type { DeviceInput } from '@roadshow/contract/catalog/devices'
import { Button, Input, Select } from 'antd'
import { useReply } from '../../api/useCall.ts'
import { useSaveOnce } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { List, Soft } from '../../ui/layout.tsx'
import { optionsOf } from '../../ui/text/words.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { localZone } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { DeviceCard } from './DeviceCard.tsx'
import { PairScreen } from './PairScreen.tsx'
import styles from './devices.module.css'

/** The player and the driver app of a truck: what they are called, and whether they are let in. */
export function DevicesTab({ truckUid }: { truckUid: string }) {
  const query = { truck: truckUid, pageSize: '200' }
  const found = useReply(devices.list, { query })
  const mayChange = useMay(devices.create)
  const mayPair = useMay(screenPairings.claim)

  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const { data } = found.data
  return (
    <>
      {data.length > 0 ? (
        <>
          <Soft as="p" small>
            Times are in {localZone()}.
          </Soft>
          <List above={3}>
            {data.map((device) => (
              <li key={device.uid}>
                <DeviceCard device={device} mayChange={mayChange} />
              </li>
            ))}
          </List>
        </>
      ) : (
        <Soft as="p">
          No device yet. {mayChange && 'Enter the code that a screen shows, or add a device and pair it with a code.'}
        </Soft>
      )}
      {mayPair && <PairScreen truckUid={truckUid} />}
      {mayChange && <AddDevice truckUid={truckUid} />}
    </>
  )
}

const blank: Omit<DeviceInput, 'truckUid'> = { kind: 'player', macAddress: '' }
const fields = { kind: 'Type', macAddress: 'MAC address' }
const schema = deviceInput.omit({ truckUid: true })

function AddDevice({ truckUid }: { truckUid: string }) {
  const add = useSaveOnce(devices.create)
  const edit = useRecordForm({
    base: blank,
    toInput: (typed) => typed,
    fields,
    schema,
    save: (typed) => add.mutateAsync({ body: { ...typed, truckUid } }),
    goOnFrom: () => blank,
    onSaved: () => undefined,
  })
  return (
    <EditForm edit={edit} asks="never" name="device" requiredMark={false} className={styles.add ?? ''}>
      <Field name="kind">
        <Select options={optionsOf(deviceKindLabel)} />
      </Field>
      <Field name="macAddress">
        <Input placeholder="AA:BB:CC:01:02:03" maxLength={40} spellCheck={false} autoComplete="off" />
      </Field>
      <Button htmlType="submit" loading={edit.isBusy}>
        Add device
      </Button>
    </EditForm>
  )
}
