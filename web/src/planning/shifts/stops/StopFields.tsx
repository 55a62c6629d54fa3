import { formatRadius } from '@roadshow/contract/platform/distance'
import { DEFAULT_STOP_RADIUS_M } from '@roadshow/contract/planning/planned-stops'
import type { PlannedStop } from '@roadshow/contract/planning/planned-stops'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { windowText } from '@roadshow/contract/planning/stop-words'
import { formatClock, formatMinutes } from '@roadshow/contract/platform/dates'
import { Form, Input, InputNumber } from 'antd'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { Field } from '../../../ui/form/fields.tsx'
import { MilesInput } from '../../../ui/form/MilesInput.tsx'
import { RepeatableFields } from '../../../ui/form/RepeatableFields.tsx'
import { ClockInput } from '../../../ui/form/ClockInput.tsx'
import { StopsMap } from './StopsMap.tsx'

/** Stops as the history tells them. */
export const stopWords = (value: unknown): string =>
  (value as PlannedStop[])
    .map((stop) => `${stop.name}, ${windowText(stop)} (${formatRadius(stop.radiusM)})`)
    .join('\n') || EM_DASH

const wide = { width: '100%' }
const distanceText = (meters: number) => formatRadius(meters)

/** The planned stops of a shift: a place, a window, and how long to stay. The map places them. */
export function StopFields() {
  const form = Form.useFormInstance<ShiftInput>()
  const start = Form.useWatch('start', form) ?? ''
  const end = Form.useWatch('end', form) ?? ''
  const hasStops = (Form.useWatch('stops', { form, preserve: true }) ?? []).length > 0
  const blank = {
    name: '',
    latitude: null,
    longitude: null,
    radiusM: DEFAULT_STOP_RADIUS_M,
    from: start,
    to: end,
    minMinutes: null,
    note: '',
  }
  return (
    <>
      <RepeatableFields
        name="stops"
        noun="planned stop"
        blank={blank}
        empty="No planned stops. A stop is a place where the truck should be within a window of time."
      >
        {() => <OneStop />}
      </RepeatableFields>
      {hasStops && <StopsMap blank={blank} />}
    </>
  )
}

const OneStop = () => (
  <>
    <Field name="name" label="Stop">
      <Input maxLength={80} placeholder="Stadium, north gate" />
    </Field>
    <Field name="radiusM" label="Radius (miles)" reads={distanceText}>
      <MilesInput step={0.25} style={wide} />
    </Field>
    <Field name="from" label="From" reads={formatClock}>
      <ClockInput />
    </Field>
    <Field name="to" label="To" reads={formatClock}>
      <ClockInput />
    </Field>
    <Field name="latitude" label="Latitude">
      <InputNumber controls={false} style={wide} />
    </Field>
    <Field name="longitude" label="Longitude">
      <InputNumber controls={false} style={wide} />
    </Field>
    <Field name="minMinutes" label="Stay at least (minutes)" reads={(minutes: number) => formatMinutes(minutes)}>
      <InputNumber controls={false} precision={0} style={wide} />
    </Field>
    <Field name="note" label="Note for the driver">
      <Input maxLength={300} />
    </Field>
  </>
)
