import { formatRadius } from '@roadshow/contract/platform/distance'
import { toMiles } from '@roadshow/contract/platform/geo'
import { markets } from '@roadshow/contract/catalog/markets'
import type { Depot, Market, MarketInput } from '@roadshow/contract/catalog/markets'
import { Input, InputNumber } from 'antd'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { Field, Section } from '../../ui/form/fields.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import { MilesInput } from '../../ui/form/MilesInput.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { AreaField } from './AreaField.tsx'
import { ZoneSelect } from './ZoneSelect.tsx'
import { ZoneTab } from './ZoneTab.tsx'

const milesText = (meters: unknown) => String(Math.round(toMiles(Number(meters)) * 100) / 100)

const depotWords = (value: unknown) =>
  (value as Depot[]).map(({ name, radiusM }) => `${name} (${formatRadius(radiusM)})`).join('\n') || EM_DASH

const fields: FieldsOf<MarketInput> = {
  name: 'Name',
  state: 'State',
  zone: 'Time zone',
  latitude: 'Latitude of the center',
  longitude: 'Longitude of the center',
  radiusM: ['Radius (miles)', milesText],
  outline: ['Outline', (corners) => `${(corners as unknown[]).length} corners`],
  depots: ['Depots', depotWords],
}

const blank: MarketInput = {
  name: '',
  state: '',
  zone: '',
  latitude: null,
  longitude: null,
  radiusM: null,
  outline: null,
  depots: [],
}

const toInput = ({ name, state, zone, latitude, longitude, radiusM, outline, depots }: Market): MarketInput => ({
  name,
  state,
  zone,
  latitude,
  longitude,
  radiusM,
  outline,
  depots,
})

const blankDepot = { name: '', latitude: null, longitude: null, radiusM: 805 }

const tabsOf = (market: Market, follow: () => Promise<void>) => [
  { label: 'Time zone', content: <ZoneTab market={market} follow={follow} /> },
]

export default function MarketForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      large
      noun="market"
      calls={markets}
      fields={fields}
      blank={blank}
      nameOf={(market) => (market.state ? `${market.name}, ${market.state}` : market.name)}
      toInput={toInput}
      tabs={tabsOf}
      onDelete="It can no longer be chosen. Past shifts and published pages in it stay as they are."
    >
      {(market) => (
        <>
          <Section title="Market">
            <Field name="name">
              <Input maxLength={80} />
            </Field>
            <Field name="state" hint="Two letters, such as TX.">
              <Input maxLength={2} />
            </Field>
          </Section>
          <AreaField />
          <Section title="Where it is">
            <Field name="latitude">
              <InputNumber controls={false} style={{ width: '100%' }} />
            </Field>
            <Field name="longitude">
              <InputNumber controls={false} style={{ width: '100%' }} />
            </Field>
            <Field name="radiusM" dependsOn={['latitude', 'longitude']}>
              <MilesInput style={{ width: '100%' }} />
            </Field>
            <Field
              name="zone"
              isFixed={market !== undefined}
              hint={market ? 'Changed on the tab Time zone.' : 'Times of shifts in this market are shown in it.'}
            >
              <ZoneSelect />
            </Field>
          </Section>
          <DepotFields />
        </>
      )}
    </FormDrawer>
  )
}

const DepotFields = () => (
  <RepeatableFields
    name="depots"
    noun="depot"
    blank={blankDepot}
    empty="No depots. Ends of routes near a depot are left out of public pages."
  >
    {() => (
      <>
        <Field name="name" label="Name">
          <Input maxLength={80} />
        </Field>
        <Field name="radiusM" label="Radius (miles)" reads={milesText}>
          <MilesInput style={{ width: '100%' }} />
        </Field>
        <Field name="latitude" label="Latitude">
          <InputNumber controls={false} style={{ width: '100%' }} />
        </Field>
        <Field name="longitude" label="Longitude">
          <InputNumber controls={false} style={{ width: '100%' }} />
        </Field>
      </>
    )}
  </RepeatableFields>
)
