import { apiKeyInput, apiKeys, clientKeyModules } from '@roadshow/contract/accounts/api-keys'
import type { ApiKeyInput } from '@roadshow/contract/accounts/api-keys'
import { clients } from '@roadshow/contract/catalog/clients'
import type { Client } from '@roadshow/contract/catalog/clients'
import { moduleLabel } from '@roadshow/contract/platform/permissions'
import { formatDay, localZone } from '@roadshow/contract/platform/dates'
import { Form, Input, Radio, Select } from 'antd'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { useSave } from '../../api/useSave.ts'
import { permissionsOf, useUser } from '../../api/user.ts'
import { CheckboxChoice } from '../../ui/form/CheckboxChoice.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { accessWord } from './keyWords.ts'
import type { CreatedKey } from './NewKey.tsx'
import styles from '../../ui/details.module.css'

const fields: FieldsOf<ApiKeyInput> = {
  name: 'Name',
  access: ['Access', accessWord],
  clientUid: 'Client',
  modules: ['Modules', moduleLabel],
  expiresInDays: 'Expires',
}

const blank: ApiKeyInput = { name: '', access: 'read', clientUid: null, modules: [], expiresInDays: 90 }

const DAYS = [7, 30, 90, 180, 365]
const expiryOptions = () =>
  DAYS.map((days) => ({
    value: days,
    label: `In ${days} days, on ${formatDay(addDays(localDay(localZone()), days))}`,
  }))

const clientLookup: Lookup<Client> = { list: clients.list, sort: 'name', nameOf: ({ name }) => name }

interface ApiKeyFormProps {
  onClose: () => void
  onCreated: (created: CreatedKey) => void
}

/** Asks for a name, what the key may do and for how long. */
export function ApiKeyForm({ onClose, onCreated }: ApiKeyFormProps) {
  const create = useSave(apiKeys.create)
  const edit = useRecordForm({
    base: blank,
    toInput: (values) => values,
    fields,
    schema: apiKeyInput,
    draft: apiKeys.create.path,
    save: (values) => create.mutateAsync({ body: { ...values, clientUid: values.clientUid ?? null } }),
    onSaved: ({ data }) => onCreated(data),
  })
  return (
    <EditForm edit={edit} focus="name">
      <Section title="Key" wide>
        <Field name="name" hint="The program that will use it, such as Data warehouse.">
          <Input maxLength={80} autoComplete="off" />
        </Field>
        <Field name="expiresInDays" hint="A key can’t be extended. Create a new one before this one expires.">
          <Select options={expiryOptions()} />
        </Field>
      </Section>
      <Reach />
      <StickyFooter act="Create key" isBusy={edit.isBusy} onClose={onClose} />
    </EditForm>
  )
}

/** What the key reaches. A key for one client reads, and sees what users of that client see. */
function Reach() {
  const form = Form.useFormInstance<ApiKeyInput>()
  const held = permissionsOf(useUser()).modules
  const clientUid = Form.useWatch('clientUid', form)
  const offered = clientUid ? held.filter((key) => clientKeyModules.includes(key)) : held

  const narrow = (chosen: unknown) => {
    if (!chosen) return
    form.setFieldValue('access', 'read')
    const modules = form.getFieldValue('modules') as ApiKeyInput['modules']
    form.setFieldValue(
      'modules',
      modules.filter((key) => clientKeyModules.includes(key)),
    )
  }

  return (
    <Section title="What it may do" wide>
      <RecordField
        name="clientUid"
        lookup={clientLookup}
        current={undefined}
        none="All clients"
        onChosen={narrow}
        hint="Leave empty for all clients. A key for one client sees what users of that client see."
      />
      <Field
        name="access"
        dependsOn="clientUid"
        hint="Users, settings, approvals and publishing stay with people in any case."
      >
        <Radio.Group
          className={styles.choices ?? ''}
          options={[
            { value: 'read', label: 'Read: look things up and export them' },
            { value: 'write', label: 'Read and write: also add, change and delete', disabled: Boolean(clientUid) },
          ]}
        />
      </Field>
      <Field name="modules" dependsOn="clientUid" hint="It can call what these modules contain, and nothing else.">
        <CheckboxChoice offered={offered} labelOf={(key) => moduleLabel[key]} />
      </Field>
    </Section>
  )
}
