import { clients } from '@roadshow/contract/catalog/clients'
import type { Client, ClientInput } from '@roadshow/contract/catalog/clients'
import { programs } from '@roadshow/contract/catalog/programs'
import { users } from '@roadshow/contract/catalog/users'
import { Input } from 'antd'
import { useMay } from '../../api/user.ts'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { Field, NoteField, Section } from '../../ui/form/fields.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import { readEmail, readPhone } from '../../ui/form/reading.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { FileUpload, StoredFile } from '../../ui/form/FileUpload.tsx'
import { RelatedRows } from '../../ui/record/RelatedRows.tsx'
import type { NextStep } from '../../ui/record/records.ts'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { programColumns } from '../programs/programColumns.tsx'
import { InviteUser } from './InviteUser.tsx'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    /** Further tabs of a client's drawer. */
    clientTabs: { record: Client }
  }
}

const fields: FieldsOf<ClientInput> = {
  name: 'Name',
  logoFileUid: 'Logo',
  note: 'Note',
  contacts: 'Contacts',
}

const blank: ClientInput = { name: '', logoFileUid: null, note: '', contacts: [] }

const blankContact = { name: '', title: '', email: '', phone: '' }

const ProgramsTab = ({ client }: { client: Client }) => (
  <RelatedRows
    screen={['/client-programs', 'Client Programs']}
    list={programs.list}
    query={{ client: client.uid }}
    columns={programColumns}
    without={['client']}
    empty="This client has no program yet."
    create={{ call: programs.create, label: 'New program' }}
  />
)

const tabsOf = (client: Client, mayInvite: boolean) => [
  { label: 'Programs', content: <ProgramsTab client={client} /> },
  ...(mayInvite ? [{ label: 'Invite', content: <InviteUser client={client} /> }] : []),
]

const nextSteps = ({ uid }: Client): NextStep[] => [
  {
    label: 'New program',
    needs: programs.create,
    to: '/client-programs',
    search: { client: uid, open: NEW_RECORD },
  },
]

export default function ClientForm(drawer: RecordFormProps) {
  const mayInvite = useMay(users.invite)
  return (
    <FormDrawer
      {...drawer}
      noun="client"
      calls={clients}
      fields={fields}
      blank={blank}
      nameOf={(client) => client.name}
      toInput={({ name, logo, note, contacts }) => ({ name, logoFileUid: logo?.uid ?? null, note, contacts })}
      tabs={(client) => tabsOf(client, mayInvite)}
      slot="clientTabs"
      nextSteps={nextSteps}
      onDelete="It will be removed from the list, and no program can be added to it. Its completed programs and their POP stay as they are."
    >
      {(client) => (
        <>
          <Section title="Client">
            <Field name="name">
              <Input maxLength={120} />
            </Field>
            <Field name="logoFileUid" reads={<StoredFile file={client?.logo} />}>
              <FileUpload purpose="logo" current={client?.logo} />
            </Field>
            <NoteField />
          </Section>
          <RepeatableFields name="contacts" noun="contact" blank={blankContact} empty="No contacts yet.">
            {() => (
              <>
                <Field name="name" label="Name">
                  <Input maxLength={80} />
                </Field>
                <Field name="title" label="Title">
                  <Input maxLength={80} />
                </Field>
                <Field name="email" label="Email" reads={readEmail}>
                  <Input type="email" maxLength={254} />
                </Field>
                <Field name="phone" label="Phone" reads={readPhone}>
                  <Input type="tel" maxLength={40} />
                </Field>
              </>
            )}
          </RepeatableFields>
        </>
      )}
    </FormDrawer>
  )
}
