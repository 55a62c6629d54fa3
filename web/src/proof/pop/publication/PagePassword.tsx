import { POP_PASSWORD_LENGTH, pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { EditForm } from '../../../ui/form/EditForm.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { localZone, formatDateTime } from '@roadshow/contract/platform/dates'
import { useRecordForm } from '../../../ui/form/useRecordForm.ts'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'

/** The password of the public page: says whether there is one, sets another and removes it. */
export function PagePassword({ pop }: { pop: Pop }) {
  const [isEditing, setIsEditing] = useState(false)
  const save = useSave(pops.setPassword)
  const notice = useNotice()
  const write = async (password: string | null) => {
    await save.mutateAsync({ body: { uid: pop.uid, version: pop.version, password } })
    notice(password === null ? 'Password removed.' : 'Password set. Visitors are asked for it from now on.')
  }
  return (
    <Stack aria-label="Password" as="section" gap={2} style={{ maxWidth: 480 }}>
      <p>
        {pop.passwordSetAt === null ? (
          'No password: anyone with the link can open the page.'
        ) : (
          <>
            The page asks for a password, set{' '}
            <time className="figures" dateTime={pop.passwordSetAt}>
              {formatDateTime(pop.passwordSetAt, localZone())}
            </time>
            .
          </>
        )}
      </p>
      {isEditing ? (
        <PasswordForm onSave={write} onDone={() => setIsEditing(false)} />
      ) : (
        <Row gap={2} wrap>
          <Button onClick={() => setIsEditing(true)}>
            {pop.passwordSetAt === null ? 'Set password' : 'Change password'}
          </Button>
          {pop.passwordSetAt !== null && (
            <Button
              loading={save.isPending}
              onClick={() => void write(null).catch((error: unknown) => notice(errorMessage(error), 'bad'))}
            >
              Remove password
            </Button>
          )}
        </Row>
      )}
    </Stack>
  )
}

interface FormProps {
  onSave: (password: string) => Promise<unknown>
  onDone: () => void
}

function PasswordForm({ onSave, onDone }: FormProps) {
  const edit = useRecordForm({
    base: '',
    toInput: (password) => ({ password }),
    save: ({ password }) => onSave(password),
    onSaved: onDone,
  })
  return (
    // The button that had the focus is gone.
    <EditForm edit={edit} requiredMark={false} asks="never" focus="password">
      <Form.Item
        name="password"
        label="New password"
        extra={
          <Soft>
            Hand it to readers yourself: it can’t be shown again. Visitors who entered another one are asked again.
          </Soft>
        }
        rules={[
          {
            required: true,
            min: POP_PASSWORD_LENGTH.min,
            message: `Use at least ${POP_PASSWORD_LENGTH.min} characters.`,
          },
        ]}
      >
        <Input autoComplete="off" maxLength={POP_PASSWORD_LENGTH.max} />
      </Form.Item>
      <Row gap={2} wrap>
        <Button type="primary" htmlType="submit" loading={edit.isBusy}>
          Save password
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </Row>
    </EditForm>
  )
}
