import { users } from '@roadshow/contract/catalog/users'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { Field, FormRulesContext } from '../../ui/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import styles from './clients.module.css'

interface Invitation {
  name: string
  email: string
}

const fields = { name: 'Name', email: 'Email' }
const schema = users.invite.body.omit({ clientUid: true })

/** Gives a person at the client a login, which shows only the client's own data. */
export function InviteUser({ client }: { client: { uid: string; name: string } }) {
  const [form] = Form.useForm<Invitation>()
  const [problem, setProblem] = useState<string>()
  const invite = useSave(users.invite)
  const notice = useNotice()

  async function send(given: Invitation) {
    setProblem(undefined)
    try {
      const { data } = await invite.mutateAsync({ body: { ...given, clientUid: client.uid } })
      form.resetFields()
      notice(`${data.name} gets an email with a link to set a password.`)
    } catch (error) {
      const marked = Object.entries(error instanceof ApiError ? error.fields : {}).filter(([name]) => name in fields)
      form.setFields(marked.map(([name, text]) => ({ name: name as keyof Invitation, errors: [text] })))
      if (marked.length === 0) setProblem(errorMessage(error))
    }
  }

  return (
    <FormRulesContext value={{ fields, schema }}>
      <p className={styles.invite}>
        The person you invite gets a client login. They can view the programs and POPs of {client.name}, but can't
        change anything.
      </p>
      {problem && <Alert type="error" role="alert" className={styles.invite ?? ''} title={problem} />}
      <Form<Invitation>
        form={form}
        layout="vertical"
        initialValues={{ name: '', email: '' }}
        onFinish={(given) => void send(given)}
      >
        <Field name="name">
          <Input maxLength={120} />
        </Field>
        <Field name="email">
          <Input type="email" maxLength={254} />
        </Field>
        <Button type="primary" htmlType="submit" loading={invite.isPending}>
          Invite a client user
        </Button>
      </Form>
    </FormRulesContext>
  )
}
