import { addresses } from '@roadshow/contract/catalog/addresses'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import { payOptionLabel, shifts, shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftInput } from '@roadshow/contract/planning/shifts'
import { formatClock, formatMoment, formatWeekday, localZone } from '@roadshow/contract/platform/dates'
import { useSearch } from '@tanstack/react-router'
import { Form, Select } from 'antd'
import { useState } from 'react'
import { useIsOutsider, useMay } from '../../api/user.ts'
import { addressSetPlace } from '../../catalog/addresses/addressSetPlace.ts'
import { artworkSetPlace } from '../../catalog/artwork/artworkSetPlace.ts'
import { marketLookup } from '../../catalog/lookups/marketLookup.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import { optionsOf } from '../../ui/text/words.ts'
import type { AnyFields, FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { RecordLink } from '../../ui/form/reading.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { CandidateField } from '../suggestions/CandidateField.tsx'
import { useSuggestions } from '../suggestions/useSuggestions.ts'
import { ClockInput } from '../../ui/form/ClockInput.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { DriverTab } from './DriverTab.tsx'
import { showsRotation, useRotationWords } from '../rotation/useRotation.ts'
import { ArtworkOfProgram, MarketOfProgram, SetOfProgram } from './ProgramFields.tsx'
import { ShiftCheck } from './ShiftCheck.tsx'
import { shiftInputOf } from './shiftInput.ts'
import { driverLookup, plannedProgramLookup, truckLookup } from './shiftLookups.ts'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatListedTime } from './shiftText.ts'
import { StatusActions } from './StatusActions.tsx'
import { StopFields, stopWords } from './stops/StopFields.tsx'
import { newShiftPlaceIn } from './useSchedule.ts'
import { useProgramChoice } from './useProgramChoice.ts'
import { useUndo } from './useUndo.ts'

const fields: FieldsOf<ShiftInput> & AnyFields = {
  programUid: 'Program',
  marketUid: 'Market',
  truckUid: 'Truck',
  driverUid: 'Driver',
  date: 'Date',
  start: 'Start',
  end: 'End',
  artworkSetUid: 'Artwork set',
  addressSetUid: 'SD address set',
  payOption: ['Pay option', payOptionLabel],
  note: 'Note',
  stops: ['Planned stops', stopWords],
  // Not part of the form, but shown in the history.
  status: ['Status', shiftStatusLabel],
  reason: 'Reason',
  startedAt: ['Started', (at) => formatMoment(String(at), localZone())],
  stoppedAt: ['Stopped', (at) => formatMoment(String(at), localZone())],
  timesReason: 'Reason for corrected times',
}

const only = (given: UrlSearch[string]) => (typeof given === 'string' ? given : '')

/** The initial values of a new shift, from the clicked place and the filters of the board. */
function blankOf(search: UrlSearch): ShiftInput {
  const { truckUid = '', date = '', start = '08:00' } = newShiftPlaceIn(search)
  const hour = (Number(start.slice(0, 2)) + 8) % 24
  return {
    programUid: only(search.program),
    marketUid: only(search.market),
    truckUid,
    driverUid: only(search.driver),
    date,
    start,
    end: `${String(hour).padStart(2, '0')}${start.slice(2)}`,
    artworkSetUid: null,
    addressSetUid: null,
    payOption: null,
    note: '',
    stops: [],
  }
}

const tabsOf = (shift: Shift, isWithDriver: boolean, follow: () => Promise<void>) => [
  { label: 'Details', content: <DetailsTab uid={shift.uid} onCorrected={follow} /> },
  ...(isWithDriver ? [{ label: 'Driver', content: <DriverTab shift={shift} onPlanned={follow} /> }] : []),
]

function EndField() {
  const form = Form.useFormInstance<ShiftInput>()
  const start = Form.useWatch('start', form)
  const end = Form.useWatch('end', form)
  return (
    <Field
      name="end"
      dependsOn="start"
      hint={start && end && end < start && 'Ends on the next day.'}
      reads={(clock: string) => (start && clock < start ? `${formatClock(clock)} the next day` : formatClock(clock))}
    >
      <ClockInput />
    </Field>
  )
}

export default function ShiftForm(drawer: RecordFormProps) {
  const search: UrlSearch = useSearch({ strict: false })
  const [blank] = useState(() => blankOf(search))
  const maySeeDriver = useMay(shiftDrivers.get)
  const undo = useUndo()
  return (
    <FormDrawer
      {...drawer}
      large
      noun="shift"
      calls={shifts}
      fields={fields}
      blank={blank}
      nameOf={(shift) => `${shift.truck.name} · ${formatListedTime(shift, localDay(shift.zone))}`}
      toInput={shiftInputOf}
      undo={(shiftUid, said) => void undo({ shiftUid }, said)}
      onDelete="The shift leaves the schedule, and its truck and driver become available. A shift that has started cannot be deleted."
      label="Shift"
      tabs={(shift, follow) => tabsOf(shift, maySeeDriver, follow)}
    >
      {(shift) => (
        <>
          {shift && <StatusActions shift={shift} onDone={drawer.onClose} />}
          <ShiftCheck uid={shift?.uid} />
          <ShiftFields shift={shift} />
        </>
      )}
    </FormDrawer>
  )
}

function ShiftFields({ shift }: { shift: Shift | undefined }) {
  // Clients see neither drivers nor pay.
  const isOutsider = useIsOutsider()
  const suggestions = useSuggestions(shift?.uid)
  const chooseProgram = useProgramChoice(shift)
  return (
    <>
      <Section title="Program">
        <RecordField
          name="programUid"
          lookup={plannedProgramLookup}
          current={shift?.program}
          isRequired
          onChosen={(uid) => void chooseProgram(uid as string)}
        />
        <Field
          name="marketUid"
          dependsOn="programUid"
          reads={<RecordLink lookup={marketLookup} record={shift?.market} />}
        >
          <MarketOfProgram current={shift?.market} />
        </Field>
      </Section>
      <Section title={isOutsider ? 'Time' : 'Time and pay'}>
        <Field
          name="date"
          hint={shift && `In the market’s time zone, ${shift.zone}.`}
          reads={shift && `${formatWeekday(shift.date)}, ${shift.date.slice(0, 4)} (${shift.zone})`}
        >
          <DayPicker />
        </Field>
        {!isOutsider && <PayOptionField />}
        <Field name="start" reads={formatClock}>
          <ClockInput />
        </Field>
        <EndField />
      </Section>
      <Section title={isOutsider ? 'Truck' : 'Truck and driver'}>
        <CandidateField of="trucks" lookup={truckLookup} current={shift?.truck} suggestions={suggestions} />
        {!isOutsider && (
          <CandidateField
            of="drivers"
            lookup={driverLookup}
            current={shift?.driver ?? undefined}
            suggestions={suggestions}
          />
        )}
      </Section>
      <SetFields shift={shift} suggested={suggestions.known?.artworkSet} />
      {!isOutsider && <StopFields />}
      <NoteSection />
    </>
  )
}

const BY_PAYROLL = 'Proposed by payroll'

const PayOptionField = () => (
  <Field name="payOption" hint="If empty, payroll proposes one from the hours." reads={<PayOptionReading />}>
    <Select allowClear placeholder={BY_PAYROLL} options={optionsOf(payOptionLabel)} />
  </Field>
)

function PayOptionReading() {
  const option = Form.useWatch('payOption', Form.useFormInstance<ShiftInput>())
  return option ? payOptionLabel[option] : BY_PAYROLL
}

/** The set of a shift, or what its program shows in turn. */
function ShownArtwork({ shift }: { shift: Shift | undefined }) {
  const rotation = useRotationWords(shift && showsRotation(shift) ? shift.program.uid : undefined)
  return rotation ?? <RecordLink lookup={artworkSetPlace} record={shift?.artworkSet} />
}

interface SetFieldsProps {
  shift: Shift | undefined
  /** The artwork that trucks are compared with, so that its name is known. */
  suggested: { uid: string; name: string } | null | undefined
}

const SetFields = ({ shift, suggested }: SetFieldsProps) => (
  <Section title="Artwork and SD addresses">
    <Field name="artworkSetUid" reads={<ShownArtwork shift={shift} />}>
      <ArtworkOfProgram current={shift?.artworkSet ?? suggested} />
    </Field>
    <Field name="addressSetUid" reads={<RecordLink lookup={addressSetPlace} record={shift?.addressSet} />}>
      <SetOfProgram list={addresses.list} current={shift?.addressSet} />
    </Field>
  </Section>
)
