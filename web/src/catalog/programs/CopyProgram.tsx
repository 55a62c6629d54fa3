import { programs, proposePopUrl } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { useNavigate } from '@tanstack/react-router'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { useSaveOnce } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'

/** A refusal of the address, which is made of the name, is shown at the name. */
function atName(error: unknown): never {
  const { popUrl, ...fields } = error instanceof ApiError ? error.fields : {}
  if (!(error instanceof ApiError) || popUrl === undefined) throw error
  throw new ApiError(error.status, { error: error.message, fields: { name: popUrl, ...fields } })
}

/** Copies a program with its markets and booked lines as a draft that starts on another day. */
export function CopyProgram({ program }: { program: Program }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!useMay(programs.copy)) return null
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Copy program</Button>
      {isOpen && <CopyDialog program={program} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function CopyDialog({ program: { uid, name }, onClose }: { program: Program; onClose: () => void }) {
  const save = useSaveOnce(programs.copy)
  const notice = useNotice()
  const navigate = useNavigate()
  const edit = useRecordForm({
    base: { name: `${name} (copy)`, startsOn: '' },
    toInput: (blank) => blank,
    save: (copy) => save.mutateAsync({ body: { uid, popUrl: proposePopUrl(copy.name), ...copy } }).catch(atName),
    onSaved({ data }) {
      onClose()
      notice(`${data.name} added as a draft.`)
      void navigate({ to: '/client-programs', search: { open: data.uid } })
    },
  })
  return (
    <Modal
      open
      title={`Copy ${name}?`}
      okText="Copy program"
      cancelText="Cancel"
      confirmLoading={edit.isBusy}
      onOk={() => edit.form.submit()}
      onCancel={onClose}
      width={416}
    >
      <p>A draft with the same markets, booked lines and spot length. All dates move with the start.</p>
      <EditForm edit={edit} requiredMark={false} asks="never">
        <Form.Item name="name" label="Name of the copy" rules={[{ required: true, message: 'Required.' }]}>
          <Input maxLength={120} />
        </Form.Item>
        <Form.Item name="startsOn" label="Starts on" rules={[{ required: true, message: 'Required.' }]}>
          <DayPicker />
        </Form.Item>
      </EditForm>
    </Modal>
  )
}
