import { truckKindLabel, trucks, truckStateLabel } from '@roadshow/contract/trucks'
import type { TruckInput } from '@roadshow/contract/trucks'
import { Input, Select } from 'antd'
import { marketLookup } from '../markets/marketLookup.ts'
import { Field, optionsOf, Section } from '../ui/fields.tsx'
import type { FieldsOf } from '../ui/fields.tsx'
import { FormDrawer } from '../ui/FormDrawer.tsx'
import type { RecordFormProps } from '../ui/OpenForm.tsx'
import { Pick } from '../ui/Pick.tsx'

const fields: FieldsOf<TruckInput> = {
  number: 'Number',
  plate: 'Plate',
  vin: 'VIN',
  kind: ['Kind', truckKindLabel],
  state: ['State', truckStateLabel],
  homeMarketUid: 'Home market',
  note: 'Note',
}

const blank: TruckInput = {
  number: '',
  plate: '',
  vin: '',
  kind: 'led',
  state: 'active',
  homeMarketUid: null,
  note: '',
}

export default function TruckForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      noun="truck"
      calls={trucks}
      fields={fields}
      blank={blank}
      nameOf={(truck) => `Truck ${truck.number}`}
      toInput={({ number, plate, vin, kind, state, homeMarket, note }) => {
        return { number, plate, vin, kind, state, homeMarketUid: homeMarket?.uid ?? null, note }
      }}
      onDelete="It leaves the list and can no longer be scheduled. Its past shifts, plays and photos stay as they are."
    >
      {(truck) => (
        <>
          <Section title="Truck">
            <Field name="number">
              <Input maxLength={20} />
            </Field>
            <Field name="state">
              <Select options={optionsOf(truckStateLabel)} />
            </Field>
            <Field name="kind">
              <Select options={optionsOf(truckKindLabel)} />
            </Field>
            <Field name="homeMarketUid">
              <Pick lookup={marketLookup} current={truck?.homeMarket} />
            </Field>
          </Section>
          <Section title="Papers">
            <Field name="plate">
              <Input maxLength={12} />
            </Field>
            <Field name="vin">
              <Input maxLength={17} />
            </Field>
            <Field name="note">
              <Input.TextArea maxLength={2000} autoSize={{ minRows: 3 }} />
            </Field>
          </Section>
        </>
      )}
    </FormDrawer>
  )
}
