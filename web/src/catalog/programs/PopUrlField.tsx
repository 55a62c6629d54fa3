import { proposePopUrl } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { Form, Input } from 'antd'
import { useEffect } from 'react'
import { Field } from '../../ui/fields.tsx'

const pathOf = (popUrl: string) => `/programs/${encodeURIComponent(popUrl)}`

/** The address of the public page. For a new program it follows the name until the user types another. */
export function PopUrlField({ program }: { program: Program | undefined }) {
  const form = Form.useFormInstance<{ name: string; popUrl: string }>()
  const name = Form.useWatch('name', form) ?? ''
  const popUrl = Form.useWatch('popUrl', form) ?? ''
  const isNew = program === undefined
  useEffect(() => {
    // Not setFieldValue, after which the field would count as typed into.
    if (isNew && !form.isFieldTouched('popUrl')) form.setFields([{ name: 'popUrl', value: proposePopUrl(name) }])
  }, [isNew, form, name])
  return (
    <Field name="popUrl" hint={popUrl && `The public page: ${pathOf(popUrl)}`} reads={pathOf}>
      <Input maxLength={80} />
    </Field>
  )
}
