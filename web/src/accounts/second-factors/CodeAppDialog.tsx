import { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { ApiError, call } from '../../api/call.ts'
import { problemText } from './problemText.ts'
import styles from './SecondFactors.module.css'

export type CodeAppSetup = ReplyOf<typeof secondFactors.startCodeApp>['data']

interface Props {
  setup: CodeAppSetup
  onAdded: (codes: string[] | null) => void
  onCancel: () => void
}

/** Shows the key of a new authenticator app, and asks for its first code. */
export function CodeAppDialog({ setup, onAdded, onCancel }: Props) {
  const [form] = Form.useForm<{ code: string }>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const confirm = async ({ code }: { code: string }) => {
    setBusy(true)
    setProblem(undefined)
    try {
      onAdded((await call(secondFactors.addCodeApp, { body: { code } })).data.recoveryCodes)
    } catch (error) {
      const said = error instanceof ApiError ? error.fields['code'] : undefined
      if (said) form.setFields([{ name: 'code', errors: [said] }])
      else setProblem(problemText(error))
    }
    setBusy(false)
  }
  return (
    <Modal open title="Add an authenticator app" footer={null} onCancel={onCancel} width={416} centered destroyOnHidden>
      <p>Scan this code with your app, or type in the key. Then enter the code that the app shows.</p>
      <img className={styles.qr} src={setup.picture} alt="QR code with the key below" width={200} height={200} />
      <p className={styles.key}>{setup.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
      <p className={styles.center}>
        <a href={setup.address}>Open in an app on this device</a>
      </p>
      {problem && <Alert type="error" role="alert" title={problem} className={styles.problem ?? ''} />}
      <Form form={form} layout="vertical" onFinish={(values) => void confirm(values)}>
        <Form.Item name="code" label="6-digit code" rules={[{ required: true, message: 'Required.' }]}>
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={12} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={busy}>
          Confirm
        </Button>
      </Form>
    </Modal>
  )
}
