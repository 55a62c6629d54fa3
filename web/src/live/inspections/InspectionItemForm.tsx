import { defectKinds, inspectionItems } from '@roadshow/contract/live/inspections'
import type { InspectionItem, InspectionItemInput } from '@roadshow/contract/live/inspections'
import { issueKindLabel } from '@roadshow/contract/catalog/truck-issues'
import type { IssueKind } from '@roadshow/contract/catalog/truck-issues'
import { Input, InputNumber, Select } from 'antd'
import { Field, Section } from '../../ui/form/fields.tsx'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'

const presenceWords = (isOnEveryTruck: unknown) => (isOnEveryTruck ? 'On every truck' : 'On some trucks')
const shownWords = (isActive: unknown) => (isActive ? 'Inspected' : 'Left out')

const fields: FieldsOf<InspectionItemInput> = {
  name: 'Name',
  nameEs: 'Name in Spanish',
  position: 'Place in the list',
  isActive: ['On the phone', shownWords],
  isOnEveryTruck: ['Trucks', presenceWords],
  issueKind: ['Type of issue for a defect', (kind) => issueKindLabel[kind as IssueKind]],
}

const blank: InspectionItemInput = {
  name: '',
  nameEs: '',
  position: 99,
  isActive: true,
  issueKind: 'mechanical',
  isOnEveryTruck: false,
}

const toInput = ({
  name,
  nameEs,
  position,
  isActive,
  issueKind,
  isOnEveryTruck,
}: InspectionItem): InspectionItemInput => ({
  name,
  nameEs,
  position,
  isActive,
  issueKind,
  isOnEveryTruck,
})

const shownOptions = [true, false].map((value) => ({ value, label: shownWords(value) }))
const presenceOptions = [true, false].map((value) => ({ value, label: presenceWords(value) }))
const kindOptions = defectKinds.map((value) => ({ value, label: issueKindLabel[value] }))

/** One thing that drivers inspect. */
export const InspectionItemForm = (drawer: RecordFormProps) => (
  <FormDrawer
    {...drawer}
    noun="inspection item"
    calls={inspectionItems}
    fields={fields}
    blank={blank}
    nameOf={({ name }) => name}
    toInput={toInput}
  >
    {() => (
      <Section title="Inspection item">
        <Field name="name">
          <Input maxLength={80} />
        </Field>
        <Field name="nameEs">
          <Input maxLength={80} lang="es" />
        </Field>
        <Field name="position">
          <InputNumber min={1} max={999} style={{ width: '100%' }} />
        </Field>
        <Field name="issueKind">
          <Select options={kindOptions} />
        </Field>
        <Field name="isOnEveryTruck" hint="On every truck, drivers can’t answer “Not on this truck”.">
          <Select options={presenceOptions} />
        </Field>
        <Field name="isActive" hint="Earlier reports don’t change.">
          <Select options={shownOptions} />
        </Field>
      </Section>
    )}
  </FormDrawer>
)
