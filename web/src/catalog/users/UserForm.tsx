import { formatDay } from '@roadshow/contract/platform/dates'
import { languageLabel } from '@roadshow/contract/platform/languages'
import {
  defaultModules,
  moduleLabel,
  modules,
  permissionTable,
  roleLabel,
} from '@roadshow/contract/platform/permissions'
import type { Role } from '@roadshow/contract/platform/permissions'
import { users } from '@roadshow/contract/catalog/users'
import type { PayRate, User, UserInput } from '@roadshow/contract/catalog/users'
import { Checkbox, Form, Input, Select } from 'antd'
import type { ApiError } from '../../api/call.ts'
import { clientLookup } from '../lookups/clientLookup.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { optionsOf } from '../../ui/text/words.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import { MoneyInput } from '../../ui/form/MoneyInput.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { Soft } from '../../ui/layout.tsx'
import { singleValue } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { CredentialsTab } from './CredentialsTab.tsx'
import { PhotoField } from './PhotoField.tsx'
import { formatDollars } from '@roadshow/contract/platform/figures'
import { readEmail, readPhone, useIsReading } from '../../ui/form/reading.tsx'
import { ResendInvitation } from './ResendInvitation.tsx'
import { RestoreUser } from './RestoreUser.tsx'
import styles from './UserForm.module.css'

/** A rate as the history stores it. */
interface KeptRate {
  validFrom: string
  halfDayCents: number
  eightHoursCents: number
  twelveHoursCents: number
}

const rateText = ({ validFrom, ...rate }: KeptRate | PayRate) => {
  const [half, eight, twelve] =
    'halfDayCents' in rate
      ? [rate.halfDayCents, rate.eightHoursCents, rate.twelveHoursCents]
      : [rate.payHalfDay, rate.payEightHours, rate.payTwelveHours]
  return `from ${formatDay(validFrom)}: half day ${formatDollars(half ?? 0)}, 8-hour day ${formatDollars(eight ?? 0)}, 12-hour day ${formatDollars(twelve ?? 0)}`
}

const ratesText = (value: unknown) => [value as PayRate | PayRate[]].flat().map(rateText).join('\n') || 'none'

const fields: FieldsOf<UserInput & { photo: File | undefined }> = {
  name: 'Name',
  photo: 'Photo',
  email: 'Email',
  phone: 'Phone',
  role: ['Role', roleLabel],
  clientUid: 'Client',
  modules: ['Modules', moduleLabel],
  payRates: ['Pay rates', ratesText],
  payrollId: 'Payroll ID',
  language: ['Language', languageLabel],
  photoFileUid: ['Photo', () => 'photo added'],
}

const blank: UserInput = {
  name: '',
  email: '',
  phone: '',
  role: 'driver',
  modules: [...defaultModules.driver],
  clientUid: null,
  payRates: [],
  payrollId: '',
  language: null,
  photoFileUid: null,
}

const isRole = (given: string): given is Role => given in defaultModules

/** A list of one role adds users of that role, and a list of one client adds users of that client. */
function prefill({ role, client }: UrlSearch): Partial<UserInput> {
  const clientUid = singleValue(client) || null
  const chosen = clientUid ? 'client' : singleValue(role)
  return { clientUid, ...(isRole(chosen) && { role: chosen, modules: [...defaultModules[chosen]] }) }
}

const blankRate = { validFrom: null, payHalfDay: null, payEightHours: null, payTwelveHours: null }

/** The modules to check. Some give no access to some roles. */
const moduleOptions = (role: Role) =>
  modules.map((key) => ({
    value: key,
    label:
      permissionTable[key][role] === 'none' ? (
        <>
          {moduleLabel[key]} <Soft small>no access with the role {roleLabel[role]}</Soft>
        </>
      ) : (
        moduleLabel[key]
      ),
  }))

const deletedNotice = ({ deletedAt, userUid, name }: User, reload: () => void) =>
  deletedAt && (
    <RestoreUser userUid={userUid} name={name} onRestored={reload}>
      This user is deleted and can’t sign in.
    </RestoreUser>
  )

const restoreOffer = ({ conflict }: ApiError, leave: () => void) =>
  conflict && (
    <RestoreUser userUid={conflict.uid} name={conflict.name} onRestored={leave}>
      {`${conflict.name} has this email address and is deleted. Restore them to bring back their role, pay rates and password.`}
    </RestoreUser>
  )

const tabsOf = ({ userUid, name }: User) => [
  { label: 'Sign-in & access', content: <CredentialsTab userUid={userUid} name={name} /> },
]

export default function UserForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      noun="user"
      calls={users}
      fields={fields}
      blank={blank}
      prefill={prefill}
      nameOf={(user) => user.name}
      toInput={({ name, email, phone, role, modules: held, client, payRates, payrollId, language, photo }) => {
        return {
          name,
          email,
          phone,
          role,
          modules: held,
          clientUid: client?.uid ?? null,
          payRates,
          payrollId,
          language,
          photoFileUid: photo?.uid ?? null,
        }
      }}
      onDelete="They are signed out at once and can no longer sign in. Their shifts, photos and pay so far are kept, and you can restore them."
      locked={deletedNotice}
      offer={restoreOffer}
      tabs={tabsOf}
    >
      {(user) => (
        <>
          {user?.isInvited && <ResendInvitation userUid={user.userUid} email={user.email} />}
          <Section title="Person">
            <PhotoField current={user?.photo} name={user?.name ?? ''} />
            <Field name="name">
              <Input maxLength={120} autoComplete="off" />
            </Field>
            <Field
              name="email"
              reads={readEmail}
              hint={
                user
                  ? 'Changing the email signs the user out and ends links sent to the old one.'
                  : 'We email a link to set the password.'
              }
            >
              <Input type="email" maxLength={254} autoComplete="off" />
            </Field>
            <Field name="phone" reads={readPhone}>
              <Input type="tel" maxLength={40} autoComplete="off" />
            </Field>
            <Field
              name="language"
              hint="For emails, notifications and the driver app. If not set: English, and the phone’s own language in the app."
            >
              <Select options={optionsOf(languageLabel)} allowClear placeholder="Not chosen" />
            </Field>
            <Field name="payrollId" hint="Their ID in your payroll software: File # in ADP, employee ID in Gusto.">
              <Input maxLength={20} autoComplete="off" />
            </Field>
          </Section>
          <Permissions client={user?.client} isNew={!user} />
          <PayRates />
        </>
      )}
    </FormDrawer>
  )
}

interface PermissionsProps {
  client: { uid: string; name: string } | null | undefined
  isNew: boolean
}

function Permissions({ client, isNew }: PermissionsProps) {
  const isReading = useIsReading()
  const form = Form.useFormInstance<UserInput>()
  const role = Form.useWatch('role', form) ?? 'driver'
  // A new role starts from its default modules.
  const startOver = (chosen: Role) => {
    form.setFieldValue('modules', [...defaultModules[chosen]])
    if (chosen !== 'client') form.setFieldValue('clientUid', null)
  }
  const clientField = <RecordField name="clientUid" dependsOn="role" lookup={clientLookup} current={client} />
  return (
    <Section title="Permissions">
      <Field name="role" hint={isNew ? undefined : 'Changing the role signs the user out everywhere.'}>
        <Select options={optionsOf(roleLabel)} onChange={startOver} />
      </Field>
      {isReading ? role === 'client' && clientField : <div hidden={role !== 'client'}>{clientField}</div>}
      <Field name="modules">
        <Checkbox.Group options={moduleOptions(role)} className={styles.modules ?? ''} />
      </Field>
    </Section>
  )
}

/** Shown for drivers, and for users who already have rates. */
function PayRates() {
  const form = Form.useFormInstance<UserInput>()
  const role = Form.useWatch('role', form)
  const rates = Form.useWatch('payRates', form)
  return (
    <div hidden={role !== 'driver' && !rates?.length}>
      <RepeatableFields
        name="payRates"
        noun="pay rate"
        blank={blankRate}
        empty="No pay rates yet. This driver’s shifts are not paid."
      >
        {() => (
          <>
            <Field name="validFrom" label="Valid from">
              <DayPicker />
            </Field>
            <Field name="payHalfDay" label="Half day" reads={formatDollars}>
              <MoneyInput />
            </Field>
            <Field name="payEightHours" label="8-hour day" reads={formatDollars}>
              <MoneyInput />
            </Field>
            <Field name="payTwelveHours" label="12-hour day" reads={formatDollars}>
              <MoneyInput />
            </Field>
          </>
        )}
      </RepeatableFields>
    </div>
  )
}
