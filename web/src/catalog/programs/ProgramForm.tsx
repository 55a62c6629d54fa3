import { programs, programStatusLabel, SPOT_SECONDS, statusesFrom } from '@roadshow/contract/catalog/programs'
import type { Program, ProgramInput } from '@roadshow/contract/catalog/programs'
import { formatDay } from '@roadshow/contract/platform/dates'
import { InputNumber, Select } from 'antd'
import { clientLookup } from '../lookups/clientLookup.ts'
import { marketLookup } from '../lookups/marketLookup.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { SlotParts } from '../../ui/slots.tsx'
import { useIsPhone } from '../../ui/useMedia.ts'
import { singleValue } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { BookedLines } from './BookedLines.tsx'
import { LinesInTheWay } from './LinesInTheWay.tsx'
import { CopyProgram } from './CopyProgram.tsx'
import { newArtwork, planShifts } from './nextSteps.ts'
import { NameField, PopUrlField } from './PopUrlField.tsx'

declare module '../../ui/slots.tsx' {
  interface SlotProps {
    programTabs: { record: Program }
    /** What stands above the parts of a saved program. */
    programSummary: { program: Program }
  }
}

const fields: FieldsOf<ProgramInput> = {
  name: 'Name',
  clientUid: 'Client',
  status: ['Status', programStatusLabel],
  startsOn: 'Starts on',
  endsOn: 'Ends on',
  popUrl: 'POP address',
  spotSeconds: 'Spot length in seconds',
  note: 'Note',
  markets: 'Markets',
  bookedLines: 'Booked',
}

// Required fields start with values that the schema refuses.
const blank: ProgramInput = {
  name: '',
  clientUid: '',
  status: 'draft',
  startsOn: '',
  endsOn: '',
  popUrl: '',
  spotSeconds: null,
  note: '',
  markets: [],
  bookedLines: [],
}

const blankMarket = { marketUid: '', startsOn: null, endsOn: null }

const toInput = ({
  client,
  name,
  status,
  startsOn,
  endsOn,
  popUrl,
  spotSeconds,
  note,
  markets,
  bookedLines,
}: Program): ProgramInput => ({
  name,
  clientUid: client.uid,
  status,
  startsOn,
  endsOn,
  popUrl,
  spotSeconds,
  note,
  markets: markets.map((market) => ({ marketUid: market.uid, startsOn: market.startsOn, endsOn: market.endsOn })),
  bookedLines: bookedLines.map(({ market, unit, amount, startsOn, endsOn, priceCents }) => ({
    marketUid: market.uid,
    unit,
    amount,
    startsOn,
    endsOn,
    priceCents,
  })),
})

const prefill = ({ client, market }: UrlSearch): Partial<ProgramInput> => ({
  clientUid: singleValue(client),
  markets: [market ?? []].flat().map((marketUid) => ({ ...blankMarket, marketUid })),
})

const AS_LONG_AS_ARTWORK = 'As long as the artwork'

const isClientFixed = (program: Program | undefined) => program !== undefined && program.status !== 'draft'

const statusOptions = (program: Program | undefined) =>
  statusesFrom(program?.status).map((value) => ({ value, label: programStatusLabel[value] }))

const summaryOf = (program: Program) => <SlotParts name="programSummary" props={{ program }} />

export default function ProgramForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      large
      noun="program"
      calls={programs}
      fields={fields}
      blank={blank}
      nameOf={(program) => program.name}
      toInput={toInput}
      prefill={prefill}
      nextSteps={({ uid, startsOn }) => [newArtwork(uid), planShifts(uid, startsOn)]}
      onDelete="The program will be removed from the list and can no longer be scheduled. Its shifts, plays and photos so far are kept."
      label="Program"
      slot="programTabs"
      several="programs"
      summary={summaryOf}
      parts={parts}
    >
      {(program) => (
        <>
          <Section title="Program">
            <NameField isNew={program === undefined} />
            <RecordField
              name="clientUid"
              lookup={clientLookup}
              current={program?.client}
              isRequired
              isFixed={isClientFixed(program)}
              hint={isClientFixed(program) && 'You can change the client only while the program is a draft.'}
            />
            <Field name="status">
              <Select options={statusOptions(program)} />
            </Field>
            <PopUrlField />
          </Section>
          <Section title="Dates">
            <Field name="startsOn">
              <DayPicker />
            </Field>
            <Field name="endsOn" dependsOn="startsOn">
              <DayPicker />
            </Field>
            <LinesInTheWay />
          </Section>
          <Section title="Screens">
            <Field
              name="spotSeconds"
              hint="How long each spot lasts on LED trucks."
              reads={program?.spotSeconds ?? AS_LONG_AS_ARTWORK}
            >
              <InputNumber
                min={SPOT_SECONDS.min}
                max={SPOT_SECONDS.max}
                placeholder={AS_LONG_AS_ARTWORK}
                style={{ width: '100%' }}
              />
            </Field>
          </Section>
          <NoteSection />
          {program && <CopyProgram program={program} />}
        </>
      )}
    </FormDrawer>
  )
}

const SAME_AS_PROGRAM = 'Same as program'
/** Where half a phone is all there is. */
const AS_PROGRAM = 'As program'
const dayOrProgram = (day: string | null | undefined) => (day ? formatDay(day) : SAME_AS_PROGRAM)

function Markets({ program }: { program: Program | undefined }) {
  const placeholder = useIsPhone() ? AS_PROGRAM : SAME_AS_PROGRAM
  return (
    <RepeatableFields
      name="markets"
      noun="market"
      blank={blankMarket}
      empty="No market yet. A program is scheduled in its markets only."
    >
      {(index) => (
        <>
          <RecordField
            name="marketUid"
            label="Market"
            lookup={marketLookup}
            current={program?.markets[index]}
            isRequired
          />
          <Field name="startsOn" label="Starts on" reads={dayOrProgram(program?.markets[index]?.startsOn)}>
            <DayPicker placeholder={placeholder} />
          </Field>
          <Field name="endsOn" label="Ends on" reads={dayOrProgram(program?.markets[index]?.endsOn)}>
            <DayPicker placeholder={placeholder} />
          </Field>
        </>
      )}
    </RepeatableFields>
  )
}

const parts = [
  { label: 'Markets', fields: ['markets'], content: (program: Program | undefined) => <Markets program={program} /> },
  {
    label: 'Booked',
    fields: ['bookedLines'],
    content: (program: Program | undefined) => <BookedLines program={program} />,
  },
]
