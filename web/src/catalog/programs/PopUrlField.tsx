import { proposePopUrl } from '@roadshow/contract/catalog/programs'
import { Form, Input } from 'antd'
import { Field } from '../../ui/form/fields.tsx'

const pathOf = (popUrl: string) => `/programs/${encodeURIComponent(popUrl)}`

interface NamedInput {
  name: string
  popUrl: string
}

/** The name of a program. The address of a new one follows it until the user types another. */
export function NameField({ isNew }: { isNew: boolean }) {
  const form = Form.useFormInstance<NamedInput>()
  const propose = (name: string) => {
    // Not setFieldValue, after which the field would count as typed into.
    if (isNew && !form.isFieldTouched('popUrl')) form.setFields([{ name: 'popUrl', value: proposePopUrl(name) }])
  }
  return (
    <Field name="name">
      <Input maxLength={120} onChange={({ target }) => propose(target.value)} />
    </Field>
  )
}

/** The address of the public page. */
export function PopUrlField() {
  const popUrl = Form.useWatch('popUrl', Form.useFormInstance<NamedInput>()) ?? ''
  return (
    <Field name="popUrl" hint={popUrl && `The public page: ${pathOf(popUrl)}`} reads={pathOf}>
      <Input maxLength={80} />
    </Field>
  )
}
