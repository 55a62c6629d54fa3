import { users } from '@roadshow/contract/catalog/users'
import { Button, Input } from 'antd'
import { useSave } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import styles from './clients.module.css'

const blank = { name: '', email: '' }
const fields = { name: 'Name', email: 'Email' }
const schema = users.invite.body.omit({ clientUid: true })

/** Gives a person at the client a login, which shows only the client's own data. */
export function InviteUser({ client }: { client: { uid: string; name: string } }) {
  const invite = useSave(users.invite)
  const notice = useNotice()
  const edit = useRecordForm({
    base: blank,
    toInput: (given) => given,
    fields,
    schema,
    save: (given) => invite.mutateAsync({ body: { ...given, clientUid: client.uid } }),
    goOnFrom: () => blank,
    onSaved: ({ data }) => notice(`${data.name} gets an email with a link to set a password.`),
  })
  return (
    <>
      <p className={styles.invite}>
        The person you invite gets a client login. They can view the programs and POPs of {client.name}, but can't
        change anything.
      </p>
      <EditForm edit={edit} asks="never">
        <Field name="name">
          <Input maxLength={120} />
        </Field>
        <Field name="email">
          <Input type="email" maxLength={254} />
        </Field>
        <Button type="primary" htmlType="submit" loading={edit.isBusy}>
          Invite a client user
        </Button>
      </EditForm>
    </>
  )
}
