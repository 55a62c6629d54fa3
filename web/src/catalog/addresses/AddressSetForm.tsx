import { formatRadius } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { addresses, locatedByLabel } from '@roadshow/contract/catalog/addresses'
import type { AddressSet, AddressSetInput } from '@roadshow/contract/catalog/addresses'
import { Form, Input } from 'antd'
import { programLookup } from '../lookups/programLookup.ts'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { singleValue } from '../../ui/useListState.ts'
import { planShifts } from '../programs/nextSteps.ts'
import { AddressesField } from './AddressesField.tsx'
import { AddressesReading } from './AddressesReading.tsx'

type Kept = Partial<AddressSet['addresses'][number]>

/** An address as the history tells it, in a line; of several, how many there are. */
function inWords(value: unknown): string {
  if (Array.isArray(value)) return `${formatCount(value.length)} addresses`
  const { label, address, latitude, longitude, radiusM, artworkSet, locatedBy } = value as Kept
  const place = latitude === undefined ? '' : `${latitude}, ${longitude}`
  const radius = radiusM === undefined ? '' : `within ${formatRadius(radiusM)}`
  const artwork = typeof artworkSet === 'string' ? artworkSet : ''
  return (
    [label, address, place, radius, artwork, locatedBy && locatedByLabel[locatedBy]].filter(Boolean).join(' · ') ||
    EM_DASH
  )
}

const fields: FieldsOf<AddressSetInput> & { address: [string, typeof inWords] } = {
  name: 'Name',
  programUid: 'Client program',
  note: 'Note',
  addresses: ['Addresses', inWords],
  // The history names each address by itself.
  address: ['Address', inWords],
}

const blank: AddressSetInput = { name: '', programUid: '', note: '', addresses: [] }

const toInput = ({ name, program, note, addresses: saved }: AddressSet): AddressSetInput => ({
  name,
  programUid: program.uid,
  note,
  addresses: saved.map(({ artworkSet, ...address }) => ({ ...address, artworkSetUid: artworkSet?.uid ?? null })),
})

export default function AddressSetForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      large
      noun="address set"
      calls={addresses}
      fields={fields}
      blank={blank}
      nameOf={(set) => set.name}
      toInput={toInput}
      prefill={({ program }) => ({ programUid: singleValue(program) })}
      nextSteps={({ program }) => [planShifts(program.uid)]}
      onDelete="The set will be removed from the list and from players. Its past plays stay in the reports."
    >
      {(set) => (
        <>
          <Section title="Set">
            <Field name="name">
              <Input maxLength={120} />
            </Field>
            <RecordField name="programUid" lookup={programLookup} current={set?.program} isRequired />
          </Section>
          <Section title="Addresses" wide>
            <Addresses set={set} />
          </Section>
          <NoteSection />
        </>
      )}
    </FormDrawer>
  )
}

function Addresses({ set }: { set: AddressSet | undefined }) {
  const programUid = Form.useWatch<string>('programUid')
  return (
    <Field name="addresses" label="" reads={<AddressesReading addresses={set?.addresses ?? []} />}>
      <AddressesField programUid={programUid || undefined} />
    </Field>
  )
}
