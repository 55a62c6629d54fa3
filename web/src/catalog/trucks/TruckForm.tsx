import { truckKindLabel, trucks, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { Truck, TruckInput } from '@roadshow/contract/catalog/trucks'
import { Link } from '@tanstack/react-router'
import { Input, Select } from 'antd'
import { marketLookup } from '../lookups/marketLookup.ts'
import { pixelLookup } from '../lookups/pixelLookup.ts'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import { optionsOf } from '../../ui/text/words.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { SlotParts } from '../../ui/slots.tsx'
import { singleValue } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    truckTabs: { record: Truck }
    /** What stands above the parts of a saved truck. */
    truckSummary: { truck: Truck }
  }
}

const fields: FieldsOf<TruckInput> = {
  number: 'Number',
  plate: 'Plate',
  vin: 'VIN',
  kind: ['Type', truckKindLabel],
  state: ['State', truckStateLabel],
  homeMarketUid: 'Home market',
  pixelMapUid: 'Pixel map',
  geotabDeviceId: 'Geotab device',
  note: 'Note',
}

const blank: TruckInput = {
  number: '',
  plate: '',
  vin: '',
  kind: 'led',
  state: 'active',
  homeMarketUid: null,
  pixelMapUid: null,
  geotabDeviceId: '',
  note: '',
}

const isKind = (given: string): given is TruckInput['kind'] => given in truckKindLabel

function prefill({ market, pixelMap, kind }: UrlSearch): Partial<TruckInput> {
  const chosen = singleValue(kind)
  return {
    homeMarketUid: singleValue(market) || null,
    pixelMapUid: singleValue(pixelMap) || null,
    ...(isKind(chosen) && { kind: chosen }),
  }
}

const toInput = ({
  number,
  plate,
  vin,
  kind,
  state,
  homeMarket,
  pixelMap,
  geotabDeviceId,
  note,
}: Truck): TruckInput => ({
  number,
  plate,
  vin,
  kind,
  state,
  homeMarketUid: homeMarket?.uid ?? null,
  pixelMapUid: pixelMap?.uid ?? null,
  geotabDeviceId,
  note,
})

const summaryOf = (truck: Truck) => <SlotParts name="truckSummary" props={{ truck }} />

export default function TruckForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      noun="truck"
      calls={trucks}
      fields={fields}
      blank={blank}
      prefill={prefill}
      nameOf={(truck) => `Truck ${truck.number}`}
      toInput={toInput}
      onDelete="The truck will be removed from the list and can no longer be scheduled, and its devices are unpaired. Its shifts, plays and photos so far are kept."
      large
      slot="truckTabs"
      several="trucks"
      summary={summaryOf}
    >
      {(truck) => (
        <>
          <Section title="Truck">
            <Field name="number">
              <Input maxLength={20} />
            </Field>
            <Field name="state" hint="The Shop tab says from when until when it is in the shop.">
              <Select
                options={optionsOf(truckStateLabel).filter(({ value }) => value !== 'inShop' || truck?.state === value)}
              />
            </Field>
            <Field name="kind">
              <Select options={optionsOf(truckKindLabel)} />
            </Field>
            <RecordField name="homeMarketUid" lookup={marketLookup} current={truck?.homeMarket} />
          </Section>
          <Section title="Equipment">
            <RecordField
              name="pixelMapUid"
              lookup={pixelLookup}
              current={truck?.pixelMap}
              hint={<Link to="/pixel">All pixel maps</Link>}
            />
            <Field name="geotabDeviceId" hint="The tracker’s ID in MyGeotab, such as b1A.">
              <Input maxLength={40} spellCheck={false} />
            </Field>
          </Section>
          <Section title="Registration">
            <Field name="plate">
              <Input maxLength={12} />
            </Field>
            <Field name="vin">
              <Input maxLength={17} />
            </Field>
          </Section>
          <NoteSection />
        </>
      )}
    </FormDrawer>
  )
}
