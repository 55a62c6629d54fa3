import { addresses } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import { payOptionLabel, shifts, shiftStatusLabel } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftInput } from '@roadshow/contract/planning/shifts'
import { useSearch } from '@tanstack/react-router'
import { Form, Select } from 'antd'
import { useState } from 'react'
import { useMay } from '../../api/user.ts'
import { DayPicker } from '../../ui/DayPicker.tsx'
import { Field, NoteSection, Section } from '../../ui/fields.tsx'
import { optionsOf } from '../../ui/words.ts'
import type { AnyFields, FieldsOf } from '../../ui/words.ts'
import { FormDrawer } from '../../ui/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/RecordDrawer.tsx'
import { RecordSelect } from '../../ui/RecordSelect.tsx'
import type { Lookup } from '../../ui/RecordSelect.tsx'
import { formatDayTime } from '../../ui/time.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ClockInput } from './ClockInput.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { DriverTab } from './DriverTab.tsx'
import { MarketOfProgram, SetOfProgram } from './ProgramFields.tsx'
import { ShiftCheck } from './ShiftCheck.tsx'
import { shiftInputOf } from './shiftInput.ts'
import { driverLookup, plannedProgramLookup, truckLookup } from './shiftLookups.ts'
import { formatShiftTime } from './shiftText.ts'
import { StatusActions } from './StatusActions.tsx'
import { newShiftPlaceIn } from './useSchedule.ts'

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
  // Not part of the form, but shown in the history.
  status: ['Status', shiftStatusLabel],
  reason: 'Reason',
  startedAt: ['Started', (at) => formatDayTime(String(at))],
  stoppedAt: ['Stopped', (at) => formatDayTime(String(at))],
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
  }
}

const tabsOf = (shift: Shift, isWithDriver: boolean) => [
  { label: 'Details', content: <DetailsTab uid={shift.uid} /> },
  ...(isWithDriver ? [{ label: 'Driver', content: <DriverTab shift={shift} /> }] : []),
]

function EndField() {
  const form = Form.useFormInstance<ShiftInput>()
  const start = Form.useWatch('start', form)
  const end = Form.useWatch('end', form)
  return (
    <Field name="end" dependsOn="start" hint={start && end && end < start && 'Ends on the next day.'}>
      <ClockInput />
    </Field>
  )
}

interface ChoiceProps {
  lookup: Lookup
  current: { uid: string; name: string } | undefined
}

/** A user who may not list the choices still sees the current one. */
function Choice({ lookup, current, ...field }: ChoiceProps) {
  const mayLookUp = useMay(lookup.list)
  if (mayLookUp) return <RecordSelect {...field} lookup={lookup} current={current} allowClear={false} />
  return <Select {...field} options={current ? [{ value: current.uid, label: current.name }] : []} />
}

export default function ShiftForm(drawer: RecordFormProps) {
  const search: UrlSearch = useSearch({ strict: false })
  const [blank] = useState(() => blankOf(search))
  const maySeeDriver = useMay(shiftDrivers.get)
  return (
    <FormDrawer
      {...drawer}
      large
      noun="shift"
      calls={shifts}
      fields={fields}
      blank={blank}
      nameOf={(shift) => `${shift.truck.name} · ${formatShiftTime(shift)}`}
      toInput={shiftInputOf}
      onDelete="The shift leaves the schedule, and its truck and driver become available. A shift that has started cannot be deleted."
      label="Shift"
      tabs={(shift) => tabsOf(shift, maySeeDriver)}
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

const ShiftFields = ({ shift }: { shift: Shift | undefined }) => (
  <>
    <Section title="Program">
      <Field name="programUid">
        <Choice lookup={plannedProgramLookup} current={shift?.program} />
      </Field>
      <Field name="marketUid" dependsOn="programUid">
        <MarketOfProgram current={shift?.market} ofProgram={shift?.program.uid} />
      </Field>
    </Section>
    <Section title="Truck and driver">
      <Field name="truckUid">
        <Choice lookup={truckLookup} current={shift?.truck} />
      </Field>
      <Field name="driverUid">
        <Choice lookup={driverLookup} current={shift?.driver ?? undefined} />
      </Field>
    </Section>
    <Section title="Time and pay">
      <Field name="date" hint={shift && `In the market’s time zone, ${shift.zone}.`}>
        <DayPicker />
      </Field>
      <Field name="payOption" hint="If empty, payroll proposes one from the hours.">
        <Select allowClear placeholder="Proposed by payroll" options={optionsOf(payOptionLabel)} />
      </Field>
      <Field name="start">
        <ClockInput />
      </Field>
      <EndField />
    </Section>
    <Section title="Artwork and SD addresses">
      <Field name="artworkSetUid">
        <SetOfProgram list={artworkSets.list} current={shift?.artworkSet} ofProgram={shift?.program.uid} />
      </Field>
      <Field name="addressSetUid">
        <SetOfProgram list={addresses.list} current={shift?.addressSet} ofProgram={shift?.program.uid} />
      </Field>
    </Section>
    <NoteSection />
  </>
)
