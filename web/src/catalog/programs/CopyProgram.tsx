import { programs, proposePopUrl } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { useNavigate } from '@tanstack/react-router'
import { Button, Form, Input, Modal } from 'antd'
import { useState } from 'react'
import { ApiError } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { useNotice } from '../../ui/notices.tsx'

interface CopyInput {
  name: string
  startsOn: string
}

/** Copies a program with its markets and booked lines as a draft that starts on another day. */
export function CopyProgram({ program }: { program: Program }) {
  const may = useMay(programs.copy)
  const [isOpen, setIsOpen] = useState(false)
  const [form] = Form.useForm<CopyInput>()
  const save = useSave(programs.copy)
  const notice = useNotice()
  const navigate = useNavigate()
  if (!may) return null
  const show = (error: Error) => {
    const { name, popUrl, startsOn } = error instanceof ApiError ? error.fields : {}
    const rest = (name ?? popUrl ?? startsOn) ? [] : [error.message]
    form.setFields([
      { name: 'name', errors: [name ?? popUrl ?? []].flat() },
      { name: 'startsOn', errors: [startsOn ?? rest].flat() },
    ])
  }
  const copy = ({ name, startsOn }: CopyInput) =>
    save.mutate(
      { body: { uid: program.uid, name, popUrl: proposePopUrl(name), startsOn } },
      {
        onError: show,
        onSuccess: ({ data }) => {
          setIsOpen(false)
          notice(`${data.name} added as a draft.`)
          void navigate({ to: '/client-programs', search: { open: data.uid } })
        },
      },
    )
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Copy program</Button>
      <Modal
        open={isOpen}
        title={`Copy ${program.name}?`}
        okText="Copy program"
        cancelText="Cancel"
        confirmLoading={save.isPending}
        onOk={() => form.submit()}
        onCancel={() => setIsOpen(false)}
        width={416}
        destroyOnHidden
      >
        <p>A draft with the same markets, booked lines and spot length. All dates move with the start.</p>
        <Form<CopyInput>
          form={form}
          layout="vertical"
          requiredMark={false}
          initialValues={{ name: `${program.name} (copy)` }}
          onFinish={copy}
        >
          <Form.Item name="name" label="Name of the copy" rules={[{ required: true, message: 'Required.' }]}>
            <Input maxLength={120} />
          </Form.Item>
          <Form.Item name="startsOn" label="Starts on" rules={[{ required: true, message: 'Required.' }]}>
            <DayPicker />
          </Form.Item>
        </Form>
      </Modal>
    </>
  )
}
