import { countBeyond, removeApart, shortenLines } from '@roadshow/contract/catalog/booked-lines'
import type { ProgramInput } from '@roadshow/contract/catalog/programs'
import { formatDay } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { Button, Form } from 'antd'
import { useIsReading } from '../../ui/form/reading.tsx'
import { InTheWayBox } from '../../ui/record/InTheWayBox.tsx'

type Lines = NonNullable<ProgramInput['bookedLines']>
type Dates = Pick<ProgramInput, 'startsOn' | 'endsOn'>

/** The booked lines that refuse other dates of their program, and what takes them out of the way. */
export function LinesInTheWay() {
  const form = Form.useFormInstance<ProgramInput>()
  const isReading = useIsReading()
  const lines: Lines = Form.useWatch('bookedLines', { form, preserve: true }) ?? []
  const startsOn = Form.useWatch('startsOn', { form, preserve: true })
  const endsOn = Form.useWatch('endsOn', { form, preserve: true })
  if (isReading || !startsOn || !endsOn || startsOn > endsOn) return null
  const program = { startsOn, endsOn }
  // A line that is still being entered has no days.
  const { partly, wholly } = countBeyond(
    program,
    lines.filter((line) => line.startsOn && line.endsOn),
  )
  if (partly + wholly === 0) return null
  // The form is asked at the click: what is watched arrives later, so a second click could undo the first.
  const change = (changed: (program: Dates, lines: Lines) => Lines) =>
    form.setFieldsValue({ bookedLines: changed(program, form.getFieldValue('bookedLines') as Lines) })
  const lastDay = lines.every((line) => line.startsOn >= startsOn)
    ? `End on ${formatDay(endsOn)}`
    : 'Shorten to these dates'
  return (
    <InTheWayBox words={`${countOf(partly + wholly, 'booked line')} beyond these dates`}>
      {partly > 0 && (
        <Button size="small" onClick={() => change(shortenLines)}>
          {lastDay}
          {wholly > 0 && ` (${partly})`}
        </Button>
      )}
      {wholly > 0 && (
        <Button size="small" onClick={() => change(removeApart)}>
          Remove {countOf(wholly, 'line')}
        </Button>
      )}
      {partly > 0 && <span>Booked amounts stay as they are.</span>}
    </InTheWayBox>
  )
}
