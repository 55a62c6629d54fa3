import { Button, Form, Input, Modal } from 'antd'
import { suggestedPasskeyName } from '../../api/passkey.ts'

interface Props {
  busy: boolean
  onAdd: (name: string) => void
  onCancel: () => void
}

/** Asks for the name of a new passkey; the browser asks for the rest. */
export const AddPasskeyDialog = ({ busy, onAdd, onCancel }: Props) => (
  <Modal open title="Add a passkey" footer={null} onCancel={onCancel} width={416} centered destroyOnHidden>
    <p>Your browser asks for your fingerprint, face, screen lock or security key.</p>
    <Form
      layout="vertical"
      initialValues={{ name: suggestedPasskeyName() }}
      onFinish={({ name }: { name: string }) => onAdd(name.trim())}
    >
      <Form.Item name="name" label="Name" rules={[{ required: true, whitespace: true, message: 'Required.' }]}>
        <Input maxLength={60} />
      </Form.Item>
      <Button type="primary" htmlType="submit" block loading={busy}>
        Add passkey
      </Button>
    </Form>
  </Modal>
)
