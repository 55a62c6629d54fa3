import { bookedUnitLabel, MAX_BOOKED_AMOUNT } from '@roadshow/contract/catalog/booked-lines'
import type { BookedUnit } from '@roadshow/contract/catalog/booked-lines'
import type { Program, ProgramInput } from '@roadshow/contract/catalog/programs'
import { formatDay } from '@roadshow/contract/platform/dates'
import { Form, InputNumber, Select } from 'antd'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { formatDollars, formatCount } from '@roadshow/contract/platform/figures'
import { MoneyInput } from '../../ui/form/MoneyInput.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { LinesInTheWay } from './LinesInTheWay.tsx'
import { marketLookup } from '../lookups/marketLookup.ts'

const unitOptions = Object.entries(bookedUnitLabel).map(([value, label]) => ({ value, label }))

/** The markets of the program, as far as their names are known without asking. */
const knownMarket = (program: Program | undefined, uid: string | undefined) =>
  program?.bookedLines.find(({ market }) => market.uid === uid)?.market ??
  program?.markets.find((market) => market.uid === uid)

/** What the client is promised, line by line; a new line starts with the days and the only market of the program. */
export function BookedLines({ program }: { program: Program | undefined }) {
  const form = Form.useFormInstance<ProgramInput>()
  const markets = Form.useWatch('markets', { form, preserve: true }) ?? []
  const startsOn = Form.useWatch('startsOn', { form, preserve: true }) ?? ''
  const endsOn = Form.useWatch('endsOn', { form, preserve: true }) ?? ''
  const marketUid = markets.length === 1 ? (markets[0]?.marketUid ?? '') : ''
  const blank = { marketUid, unit: 'truckDays', amount: null, startsOn, endsOn, priceCents: null }
  return (
    <>
      <LinesInTheWay />
      <RepeatableFields
        name="bookedLines"
        noun="booked line"
        blank={blank}
        empty="Nothing is booked. Add what the client is promised to see whether the campaign is on pace."
      >
        {(index) => (
          <>
            <RecordField
              name="marketUid"
              label="Market"
              lookup={marketLookup}
              current={knownMarket(program, program?.bookedLines[index]?.market.uid ?? marketUid)}
              isRequired
            />
            <Field name="unit" label="Unit" reads={(unit: BookedUnit) => bookedUnitLabel[unit]}>
              <Select options={unitOptions} />
            </Field>
            <Field name="amount" label="Amount" reads={(amount: number) => formatCount(amount)}>
              <InputNumber min={1} max={MAX_BOOKED_AMOUNT} inputMode="numeric" style={{ width: '100%' }} />
            </Field>
            <Field name="startsOn" label="From" reads={formatDay}>
              <DayPicker />
            </Field>
            <Field name="endsOn" label="To" reads={formatDay}>
              <DayPicker />
            </Field>
            <Field name="priceCents" label="Price" reads={formatDollars}>
              <MoneyInput />
            </Field>
          </>
        )}
      </RepeatableFields>
    </>
  )
}
