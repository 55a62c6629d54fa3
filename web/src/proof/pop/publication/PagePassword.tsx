import { POP_PASSWORD_LENGTH, pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { Button, Form, Input } from 'antd'
import type { InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { timestamp } from '../../../ui/time.ts'
import { Row, Soft } from '../../../ui/layout.tsx'
import styles from './PagePassword.module.css'

/** The password of the public page: says whether there is one, sets another and removes it. */
export function PagePassword({ pop }: { pop: Pop }) {
  const [isEditing, setIsEditing] = useState(false)
  const save = useSave(pops.setPassword)
  const notice = useNotice()
  const write = async (password: string | null): Promise<string | undefined> => {
    try {
      await save.mutateAsync({ body: { uid: pop.uid, version: pop.version, password } })
      notice(password === null ? 'Password removed.' : 'Password set. Visitors are asked for it from now on.')
      setIsEditing(false)
      return undefined
    } catch (error) {
      return (error instanceof ApiError && error.fields['password']) || errorMessage(error)
    }
  }
  return (
    <section aria-label="Password" className={styles.password}>
      <p>
        {pop.passwordSetAt === null ? (
          'No password: anyone with the link can open the page.'
        ) : (
          <>
            The page asks for a password, set{' '}
            <time className="figures" dateTime={pop.passwordSetAt}>
              {timestamp(pop.passwordSetAt)}
            </time>
            .
          </>
        )}
      </p>
      {isEditing ? (
        <PasswordForm isSaving={save.isPending} onSave={write} onCancel={() => setIsEditing(false)} />
      ) : (
        <Row gap={2} wrap>
          <Button onClick={() => setIsEditing(true)}>
            {pop.passwordSetAt === null ? 'Set password' : 'Change password'}
          </Button>
          {pop.passwordSetAt !== null && (
            <Button
              loading={save.isPending}
              onClick={() => void write(null).then((problem) => problem && notice(problem, 'bad'))}
            >
              Remove password
            </Button>
          )}
        </Row>
      )}
    </section>
  )
}

interface FormProps {
  isSaving: boolean
  /** Answers what the server refused. */
  onSave: (password: string) => Promise<string | undefined>
  onCancel: () => void
}

function PasswordForm({ isSaving, onSave, onCancel }: FormProps) {
  const [form] = Form.useForm<{ password: string }>()
  const input = useRef<InputRef>(null)
  // The button that had the focus is gone.
  useEffect(() => input.current?.focus(), [])
  const submit = async ({ password }: { password: string }) => {
    const problem = await onSave(password)
    if (problem) form.setFields([{ name: 'password', errors: [problem] }])
  }
  return (
    <Form form={form} layout="vertical" onFinish={(values) => void submit(values)} requiredMark={false}>
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
        <Input ref={input} autoComplete="off" maxLength={POP_PASSWORD_LENGTH.max} />
      </Form.Item>
      <Row gap={2} wrap>
        <Button type="primary" htmlType="submit" loading={isSaving}>
          Save password
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </Row>
    </Form>
  )
}
