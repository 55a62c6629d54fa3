import { DELETE_THE_DEMO, setup } from '@roadshow/contract/console/setup'
import { Input, Modal } from 'antd'
import { useState } from 'react'
import { useSave } from '../../api/useSave.ts'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { Stack } from '../../ui/layout.tsx'

const blank = { confirm: '', name: '', email: '', password: '' }
const fields = { confirm: 'To confirm', name: 'Your name', email: 'Your email', password: 'Your password' }

/** Asks twice: by a sentence that is typed, and for the admin who is left. */
export default function EmptyDemoDialog({ onClose }: { onClose: () => void }) {
  const save = useSave(setup.emptyDemo)
  const [isAsked, setAsked] = useState(false)
  const edit = useRecordForm({
    base: blank,
    toInput: (base) => base,
    fields,
    schema: setup.emptyDemo.body,
    undrafted: ['password'],
    save: (body) => save.mutateAsync({ body }),
    onSaved: () => setAsked(true),
  })
  return (
    <Modal open title="Delete the demo?" footer={null} onCancel={onClose} width={480} destroyOnHidden>
      {isAsked ? (
        <p role="status">The demo is being deleted. You are signed out when it is done; then sign in as yourself.</p>
      ) : (
        <EditForm edit={edit} asks="never">
          <Stack gap={3}>
            <p>
              All records and files of this installation are deleted, those that you added too, and the simulated fleet
              stops for good. This cannot be undone. You stay as the only admin.
            </p>
            <Section title="The admin who is left">
              <Field name="name">
                <Input maxLength={120} autoComplete="name" />
              </Field>
              <Field name="email">
                <Input type="email" maxLength={254} autoComplete="username" />
              </Field>
              <Field name="password">
                <Input.Password autoComplete="new-password" />
              </Field>
            </Section>
            <Field name="confirm" hint={`Type “${DELETE_THE_DEMO}”.`}>
              <Input maxLength={80} autoComplete="off" />
            </Field>
            <StickyFooter act="Delete the demo" isBusy={edit.isBusy} onClose={onClose} />
          </Stack>
        </EditForm>
      )}
    </Modal>
  )
}
