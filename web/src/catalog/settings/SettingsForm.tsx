import { settingKeys, settings, settingTable } from '@roadshow/contract/catalog/settings'
import type { SettingKey, Settings, settingsInput } from '@roadshow/contract/catalog/settings'
import { roleLabel, roles } from '@roadshow/contract/platform/permissions'
import { Alert, Button, Form, InputNumber, Select } from 'antd'
import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { Field, FormRulesContext, Section } from '../../ui/fields.tsx'
import type { FieldsOf } from '../../ui/words.ts'
import { MilesInput } from '../../ui/MilesInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StickyFooter } from '../../ui/StickyFooter.tsx'
import { UnsavedEdits } from '../../ui/UnsavedEdits.tsx'
import { ArtworkSelect } from './ArtworkSelect.tsx'
import { settingText } from './settingText.ts'

interface SettingsFormProps {
  saved: { version: number; values: Settings }
  fields: FieldsOf<Settings>
  schema: typeof settingsInput
  onClose: () => void
  onReload: () => Promise<unknown>
}

const groups = [...new Set(settingKeys.map((key) => settingTable[key].group))]

/** Saves the settings, and marks what the server refuses. */
function useSettingsForm({ saved, onClose }: SettingsFormProps) {
  const [form] = Form.useForm<Settings>()
  const save = useSave(settings.update)
  const notice = useNotice()
  const [problem, setProblem] = useState<string>()
  const isDone = useRef(false)
  const isStale = save.error instanceof ApiError && save.error.code === 'staleVersion'

  const submit = async (values: Settings) => {
    setProblem(undefined)
    try {
      await save.mutateAsync({ body: { ...saved.values, ...values, version: saved.version } })
      isDone.current = true
      notice('The settings are saved.')
      onClose()
    } catch (error) {
      const marked = Object.entries(error instanceof ApiError ? error.fields : {})
      form.setFields(marked.map(([name, text]) => ({ name: name as keyof Settings, errors: [text] })))
      if (marked.length === 0) setProblem(errorMessage(error))
    }
  }
  const isEdited = () => {
    const now = form.getFieldsValue()
    return !isDone.current && settingKeys.some((key) => String(now[key]) !== String(saved.values[key]))
  }

  return { form, submit, isEdited, problem, isStale, isBusy: save.isPending }
}

export function SettingsForm(props: SettingsFormProps) {
  const { saved, fields, schema, onClose, onReload } = props
  const { form, submit, isEdited, problem, isStale, isBusy } = useSettingsForm(props)

  return (
    <FormRulesContext value={{ fields, schema }}>
      <Form
        form={form}
        layout="vertical"
        initialValues={{ ...saved.values, version: saved.version }}
        onFinish={(values) => void submit(values)}
      >
        {problem && (
          <Alert
            type={isStale ? 'warning' : 'error'}
            role="alert"
            title={problem}
            action={
              isStale && (
                <Button size="small" onClick={() => void onReload()}>
                  Reload
                </Button>
              )
            }
          />
        )}
        {/* The schema checks the whole of what is sent. */}
        <Form.Item name="version" hidden>
          <InputNumber />
        </Form.Item>
        {groups.map((group) => (
          <SettingGroup key={group} group={group} />
        ))}
        <StickyFooter act="Save" isBusy={isBusy} onClose={onClose} />
      </Form>
      <UnsavedEdits
        isEdited={isEdited}
        draft={{
          name: settings.update.path,
          read: () => form.getFieldsValue(),
          restore: (typed) => form.setFieldsValue({ ...typed, version: saved.version } as Settings),
        }}
      />
    </FormRulesContext>
  )
}

const switchOptions = [true, false].map((value) => ({ value, label: value ? 'On' : 'Off' }))
const roleOptions = roles.map((value) => ({ value, label: roleLabel[value] }))

/** Ant Design hands value and handlers to the child of a field. */
function SettingInput({ unit, ...field }: { unit: (typeof settingTable)[SettingKey]['unit'] }) {
  if (unit === 'roles') return <Select {...field} mode="multiple" options={roleOptions} placeholder="No role" />
  if (unit === 'switch') return <Select {...field} options={switchOptions} />
  if (unit === 'day') return <DayPicker {...field} placeholder="No hold" />
  if (unit === 'artwork') return <ArtworkSelect {...field} />
  const Input = unit === 'miles' ? MilesInput : InputNumber
  return <Input {...field} suffix={unit} style={{ width: '100%' }} />
}

const SettingGroup = ({ group }: { group: string }) => (
  <Section title={group}>
    {settingKeys
      .filter((key) => settingTable[key].group === group)
      .map((key) => {
        const { changes, unit, standard } = settingTable[key]
        return (
          <Field key={key} name={key} hint={`${changes} Usually ${settingText(key, standard)}.`}>
            <SettingInput unit={unit} />
          </Field>
        )
      })}
  </Section>
)
