import { screenPairings } from '@roadshow/contract/catalog/devices'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import styles from './DevicesTab.module.css'

/** Pairs a screen by the code that it shows. A link from the screen brings the code along: `?pair=ACDEFGHJ`. */
export function PairScreen({ truckUid }: { truckUid: string }) {
  const [brought, setBrought] = useSearchParam('pair')
  const [form] = Form.useForm<{ code: string }>()
  const [problem, setProblem] = useState<string>()
  const claim = useSave(screenPairings.claim)
  const notice = useNotice()

  const pair = async ({ code }: { code: string }) => {
    setProblem(undefined)
    try {
      await claim.mutateAsync({ body: { truckUid, code } })
      form.setFieldsValue({ code: '' })
      notice('The screen is being paired. It starts within a few seconds.')
      if (brought) setBrought(undefined)
    } catch (error) {
      const wrong = error instanceof ApiError ? error.fields.code : undefined
      if (wrong) form.setFields([{ name: 'code', errors: [wrong] }])
      else setProblem(errorMessage(error))
    }
  }

  return (
    <Form
      form={form}
      name="pair-screen"
      layout="vertical"
      initialValues={{ code: brought ?? '' }}
      onFinish={(typed) => void pair(typed)}
      className={`${styles.add} ${styles.pair}`}
    >
      {problem && <Alert type="error" role="alert" title={problem} />}
      <Form.Item
        name="code"
        label="Code on the screen"
        rules={[{ required: true, message: 'Type the code that the screen shows.' }]}
      >
        <Input placeholder="ACDE-FGHJ" maxLength={40} spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Button htmlType="submit" loading={claim.isPending}>
        Pair a screen
      </Button>
    </Form>
  )
}
