import { deviceInput, deviceKindLabel, devices, screenPairings } from '@roadshow/contract/catalog/devices'
import type { DeviceInput } from '@roadshow/contract/catalog/devices'
import { Alert, Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useReply } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { optionsOf } from '../../ui/words.ts'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { localZone } from '../../ui/time.ts'
import { DeviceCard } from './DeviceCard.tsx'
import { PairScreen } from './PairScreen.tsx'
import styles from './DevicesTab.module.css'

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
          <ul className={styles.devices}>
            {data.map((device) => (
              <li key={device.uid}>
                <DeviceCard device={device} mayChange={mayChange} />
              </li>
            ))}
          </ul>
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

type Typed = Omit<DeviceInput, 'truckUid'>

const problemWith = (name: keyof Typed, value: unknown) =>
  deviceInput.shape[name].safeParse(value).error?.issues[0]?.message

function AddDevice({ truckUid }: { truckUid: string }) {
  const [form] = Form.useForm<Typed>()
  const [problem, setProblem] = useState<string>()
  const add = useSave(devices.create)
  const rule = (name: keyof Typed) => ({
    validator: (_: unknown, value: unknown) => {
      const message = problemWith(name, value)
      return message === undefined ? Promise.resolve() : Promise.reject(new Error(message))
    },
  })

  const save = async (typed: Typed) => {
    setProblem(undefined)
    try {
      await add.mutateAsync({ body: { ...typed, truckUid } })
      form.resetFields()
    } catch (error) {
      const taken = error instanceof ApiError ? error.fields.macAddress : undefined
      if (taken) form.setFields([{ name: 'macAddress', errors: [taken] }])
      else setProblem(errorMessage(error))
    }
  }

  return (
    <Form<Typed>
      form={form}
      name="device"
      layout="vertical"
      initialValues={{ kind: 'player', macAddress: '' }}
      onFinish={(typed) => void save(typed)}
      className={`${styles.add} new-device`}
    >
      {problem && <Alert type="error" role="alert" title={problem} />}
      <Form.Item name="kind" label="Type" rules={[rule('kind')]}>
        <Select options={optionsOf(deviceKindLabel)} />
      </Form.Item>
      <Form.Item name="macAddress" label="MAC address" rules={[rule('macAddress')]} validateTrigger="onBlur">
        <Input placeholder="AA:BB:CC:01:02:03" maxLength={40} spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Button htmlType="submit" loading={add.isPending}>
        Add device
      </Button>
    </Form>
  )
}
