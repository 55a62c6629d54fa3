import { Button, Form, Input, Modal } from 'antd'
import { suggestedPasskeyName } from '../../api/passkey.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'

interface Props {
  onAdd: (name: string) => Promise<void>
  onCancel: () => void
}

/** Asks for the name of a new passkey; the browser asks for the rest. */
export function AddPasskeyDialog({ onAdd, onCancel }: Props) {
  const edit = useRecordForm({
    base: suggestedPasskeyName(),
    toInput: (name) => ({ name }),
    save: ({ name }) => onAdd(name.trim()),
    onSaved: () => undefined,
  })
  return (
    <Modal open title="Add a passkey" footer={null} onCancel={onCancel} width={416} centered destroyOnHidden>
      <p>Your browser asks for your fingerprint, face, screen lock or security key.</p>
      <EditForm edit={edit} asks="never">
        <Form.Item name="name" label="Name" rules={[{ required: true, whitespace: true, message: 'Required.' }]}>
          <Input maxLength={60} />
        </Form.Item>
        <Button type="primary" htmlType="submit" block loading={edit.isBusy}>
          Add passkey
        </Button>
      </EditForm>
    </Modal>
  )
}
