import { settingKeys, settings, settingTable, settingValues } from '@roadshow/contract/catalog/settings'
import type { SettingKey, Settings } from '@roadshow/contract/catalog/settings'
import { payCalendarLabel, payCalendars } from '@roadshow/contract/catalog/pay-calendars'
import { roleLabel, roles } from '@roadshow/contract/platform/permissions'
import type { FileRef } from '@roadshow/contract/platform/files'
import { Input, InputNumber, Select } from 'antd'
import { call } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { brandName } from '../../brand/brand.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { FileUpload } from '../../ui/form/FileUpload.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { MilesInput } from '../../ui/form/MilesInput.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { StickyFooter } from '../../ui/form/StickyFooter.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { ZoneSelect } from '../markets/ZoneSelect.tsx'
import { ArtworkSelect } from './ArtworkSelect.tsx'
import { ColorInput } from './ColorInput.tsx'
import { noDay, settingText } from './settingText.ts'

interface SettingsFormProps {
  saved: { version: number; values: Settings; logo?: FileRef | undefined }
  /** The settings to show; all unless given. The others are sent as they are. */
  keys?: readonly SettingKey[]
  onClose: () => void
  /** Where the form is a step of several: the words of its buttons. */
  act?: string
  cancel?: string
}

/** The labels of settings, and how their values read. */
export const settingFields = Object.fromEntries(
  settingKeys.map((key) => {
    return [key, [settingTable[key].label, (value: unknown) => settingText(key, value)]]
  }),
) as unknown as FieldsOf<Settings>

const groupsOf = (keys: readonly SettingKey[]) => [...new Set(keys.map((key) => settingTable[key].group))]

export function SettingsForm({ saved, keys = settingKeys, onClose, act = 'Save', cancel }: SettingsFormProps) {
  const save = useSave(settings.update)
  const notice = useNotice()
  const edit = useRecordForm({
    base: saved,
    toInput: ({ values }) => values,
    isLive: true,
    fields: settingFields,
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
      {groupsOf(keys).map((group) => (
        <SettingGroup key={group} group={group} keys={keys} logo={saved.logo} />
      ))}
      <StickyFooter act={act} isBusy={edit.isBusy} onClose={onClose} {...(cancel && { cancel })} />
    </EditForm>
  )
}

const switchOptions = [true, false].map((value) => ({ value, label: value ? 'On' : 'Off' }))
const calendarOptions = payCalendars.map((value) => ({ value, label: payCalendarLabel[value] }))
const sentenceCase = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
const roleOptions = roles.map((value) => ({ value, label: roleLabel[value] }))

/** Ant Design hands value and handlers to the child of a field. */
function SettingInput({ settingKey, logo, ...field }: { settingKey: SettingKey; logo: FileRef | undefined }) {
  const { unit } = settingTable[settingKey]
  if (unit === 'roles') return <Select {...field} mode="multiple" options={roleOptions} placeholder="No role" />
  if (unit === 'switch') return <Select {...field} options={switchOptions} />
  if (unit === 'day') return <DayPicker {...field} placeholder={sentenceCase(noDay(settingKey))} />
  if (unit === 'payCalendar') return <Select {...field} options={calendarOptions} />
  if (unit === 'artwork') return <ArtworkSelect {...field} />
  if (unit === 'name') return <Input {...field} maxLength={60} placeholder={brandName()} />
  if (unit === 'color') return <ColorInput {...field} />
  if (unit === 'zone') return <ZoneSelect {...field} />
  if (unit === 'logo') return <FileUpload {...field} purpose="logo" current={logo} />
  const NumberInput = unit === 'miles' ? MilesInput : InputNumber
  return <NumberInput {...field} suffix={unit} style={{ width: '100%' }} />
}

interface GroupProps {
  group: string
  keys: readonly SettingKey[]
  logo: FileRef | undefined
}

const SettingGroup = ({ group, keys, logo }: GroupProps) => (
  <Section title={group}>
    {keys
      .filter((key) => settingTable[key].group === group)
      .map((key) => {
        const { changes, standard } = settingTable[key]
        return (
          <Field
            key={key}
            name={key}
            hint={standard === null ? changes : `${changes} Usually ${settingText(key, standard)}.`}
          >
            <SettingInput settingKey={key} logo={logo} />
          </Field>
        )
      })}
  </Section>
)
