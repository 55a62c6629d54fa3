import { proposePopUrl } from '@roadshow/contract/catalog/programs'
import { Form, Input } from 'antd'
import { useEffect } from 'react'
import { Field } from '../../ui/fields.tsx'

/** The address of the public page. For a new program it follows the name until the user types another. */
export function PopUrlField({ proposes }: { proposes: boolean }) {
  const form = Form.useFormInstance<{ name: string; popUrl: string }>()
  const name = Form.useWatch('name', form) ?? ''
  const popUrl = Form.useWatch('popUrl', form) ?? ''
  useEffect(() => {
    // Not setFieldValue, after which the field would count as typed into.
    if (proposes && !form.isFieldTouched('popUrl')) form.setFields([{ name: 'popUrl', value: proposePopUrl(name) }])
  }, [proposes, form, name])
  return (
    <Field name="popUrl" hint={popUrl && `The public page: /programs/${encodeURIComponent(popUrl)}`}>
      <Input maxLength={80} />
    </Field>
  )
}
