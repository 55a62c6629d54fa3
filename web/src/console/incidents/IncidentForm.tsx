import { incidents } from '@roadshow/contract/console/incidents'
import type { Incident, IncidentInput } from '@roadshow/contract/console/incidents'
import { Input } from 'antd'
import { Field, Section } from '../../ui/form/fields.tsx'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import type { FieldsOf } from '../../ui/text/words.ts'
import { MomentPicker } from './MomentPicker.tsx'

const timeWords = (instant: unknown) => (instant ? formatDateTime(instant as string, localZone()) : 'Still going on')

const fields: FieldsOf<IncidentInput> = {
  title: 'Title',
  text: 'What happened',
  startsAt: ['From', timeWords],
  endsAt: ['Until', timeWords],
}

const blank = (): IncidentInput => ({ title: '', text: '', startsAt: new Date().toISOString(), endsAt: null })

const toInput = ({ title, text, startsAt, endsAt }: Incident): IncidentInput => ({ title, text, startsAt, endsAt })

/** An outage or maintenance on the status page. */
export const IncidentForm = (drawer: RecordFormProps) => (
  <FormDrawer
    {...drawer}
    noun="incident"
    calls={incidents}
    fields={fields}
    blank={blank()}
    nameOf={({ title }) => title}
    toInput={toInput}
  >
    {() => (
      <Section title="Incident">
        <Field name="title">
          <Input maxLength={120} />
        </Field>
        <Field name="text" hint="Everyone can read it, without signing in.">
          <Input.TextArea rows={5} maxLength={4000} />
        </Field>
        <Field name="startsAt" hint={`Times are in ${localZone()}.`}>
          <MomentPicker />
        </Field>
        <Field name="endsAt" hint="Leave blank while ongoing.">
          <MomentPicker />
        </Field>
      </Section>
    )}
  </FormDrawer>
)
