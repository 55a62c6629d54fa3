import { settingKeys, settings, settingTable, settingValues } from '@roadshow/contract/catalog/settings'
import type { SettingKey, Settings } from '@roadshow/contract/catalog/settings'
import { payCalendarLabel, payCalendars } from '@roadshow/contract/catalog/pay-calendars'
import { roleLabel, roles } from '@roadshow/contract/platform/permissions'
import { InputNumber, Select } from 'antd'
import { call } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { MilesInput } from '../../ui/form/MilesInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { ArtworkSelect } from './ArtworkSelect.tsx'
import { noDay, settingText } from './settingText.ts'

interface SettingsFormProps {
  saved: { version: number; values: Settings }
  fields: FieldsOf<Settings>
  onClose: () => void
}

const groups = [...new Set(settingKeys.map((key) => settingTable[key].group))]

export function SettingsForm({ saved, fields, onClose }: SettingsFormProps) {
  const save = useSave(settings.update)
  const notice = useNotice()
  const edit = useRecordForm({
    base: saved,
    toInput: ({ values }) => values,
    isLive: true,
    fields,
    schema: settingValues,
    draft: settings.update.path,
    save: (values, { version }) => save.mutateAsync({ body: { ...values, version } }),
    reload: async () => (await call(settings.get, {})).data,
    onSaved() {
      notice('The settings are saved.')
      onClose()
    },
  })
  return (
    <EditForm edit={edit}>
      {groups.map((group) => (
        <SettingGroup key={group} group={group} />
      ))}
      <StickyFooter act="Save" isBusy={edit.isBusy} onClose={onClose} />
    </EditForm>
  )
}

const switchOptions = [true, false].map((value) => ({ value, label: value ? 'On' : 'Off' }))
const calendarOptions = payCalendars.map((value) => ({ value, label: payCalendarLabel[value] }))
const sentenceCase = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const roleOptions = roles.map((value) => ({ value, label: roleLabel[value] }))

/** Ant Design hands value and handlers to the child of a field. */
function SettingInput({ settingKey, ...field }: { settingKey: SettingKey }) {
  const { unit } = settingTable[settingKey]
  if (unit === 'roles') return <Select {...field} mode="multiple" options={roleOptions} placeholder="No role" />
  if (unit === 'switch') return <Select {...field} options={switchOptions} />
  if (unit === 'day') return <DayPicker {...field} placeholder={sentenceCase(noDay(settingKey))} />
  if (unit === 'payCalendar') return <Select {...field} options={calendarOptions} />
  if (unit === 'artwork') return <ArtworkSelect {...field} />
  const Input = unit === 'miles' ? MilesInput : InputNumber
  return <Input {...field} suffix={unit} style={{ width: '100%' }} />
}

const SettingGroup = ({ group }: { group: string }) => (
  <Section title={group}>
    {settingKeys
      .filter((key) => settingTable[key].group === group)
      .map((key) => {
        const { changes, standard } = settingTable[key]
        return (
          <Field key={key} name={key} hint={`${changes} Usually ${settingText(key, standard)}.`}>
            <SettingInput settingKey={key} />
          </Field>
        )
      })}
  </Section>
)
