import { acceptedExtensions } from '@roadshow/contract/platform/files'
import type { FileRef } from '@roadshow/contract/platform/files'
import type { UserInput } from '@roadshow/contract/catalog/users'
import { Button, Form } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { Avatar } from '../../ui/Avatar.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { Row } from '../../ui/layout.tsx'
import { useIsReading } from '../../ui/form/reading.tsx'
import styles from './PhotoField.module.css'

interface PhotoInputProps {
  value?: File
  onChange?: (file: File | undefined) => void
  current: FileRef | null | undefined
}

function PhotoInput({ value, onChange, current }: PhotoInputProps) {
  const form = Form.useFormInstance<UserInput>()
  const name = Form.useWatch('name', form) ?? ''
  const kept = Form.useWatch('photoFileUid', form)
  const [preview, setPreview] = useState<string>()
  // The browser keeps a chosen file in memory as long as it has an address.
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const picture = preview ?? (kept ? current?.thumbnailUrl : undefined)
  const choose = (file: File | undefined) => {
    onChange?.(file)
    setPreview(file && URL.createObjectURL(file))
    if (input.current) input.current.value = ''
  }
  const takeAway = () => {
    choose(undefined)
    form.setFieldValue('photoFileUid', null)
  }
  return (
    <Row gap={3} align="center" className={styles.photo}>
      <Avatar name={name} picture={picture} size={56} />
      <input
        ref={input}
        id={id}
        type="file"
        tabIndex={-1}
        aria-label="Photo file"
        accept={acceptedExtensions('photo')}
        onChange={({ target }) => choose(target.files?.[0] ?? value)}
      />
      <Button onClick={() => input.current?.click()}>{picture ? 'Change photo' : 'Choose photo'}</Button>
      {picture && (
        <Button type="text" onClick={takeAway}>
          Remove
        </Button>
      )}
    </Row>
  )
}

/** The photo of a user: a chosen file is sent when the form is saved. */
export const PhotoField = ({ current, name }: { current: FileRef | null | undefined; name: string }) => (
  <>
    <Field name="photo" reads={<Avatar name={name} picture={current?.thumbnailUrl ?? undefined} size={96} />}>
      <PhotoInput current={current} />
    </Field>
    {!useIsReading() && (
      <Form.Item name="photoFileUid" hidden>
        <input type="hidden" />
      </Form.Item>
    )}
  </>
)
