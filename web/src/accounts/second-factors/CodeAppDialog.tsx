import { Button, Form, Input, Modal } from 'antd'
import { keyInGroups } from '../../api/factor-rules.ts'
import type { CodeAppSetup } from '../../api/useSecondFactors.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import styles from './SecondFactors.module.css'

interface Props {
  setup: CodeAppSetup
  onConfirm: (code: string) => Promise<void>
  onCancel: () => void
}

/** Shows the key of a new authenticator app, and asks for its first code. */
export function CodeAppDialog({ setup, onConfirm, onCancel }: Props) {
  const edit = useRecordForm({
    base: '',
    toInput: (code) => ({ code }),
    save: ({ code }) => onConfirm(code),
    onSaved: () => undefined,
  })
  return (
    <Modal open title="Add an authenticator app" footer={null} onCancel={onCancel} width={416} centered destroyOnHidden>
      <p>Scan this code with your app, or type in the key. Then enter the code that the app shows.</p>
      <img className={styles.qr} src={setup.picture} alt="QR code with the key below" width={200} height={200} />
      <p className={styles.key}>{keyInGroups(setup.key)}</p>
      <p className={styles.center}>
        <a href={setup.address}>Open in an app on this device</a>
      </p>
      <EditForm edit={edit} asks="never">
        <Form.Item name="code" label="6-digit code" rules={[{ required: true, message: 'Required.' }]}>
          <Input inputMode="numeric" autoComplete="one-time-code" maxLength={12} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={edit.isBusy}>
          Confirm
        </Button>
      </EditForm>
    </Modal>
  )
}
