import { MAX_CANVAS, pixel, truckSideLabel, truckSides, UM_PER_MM } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMapInput, PixelRectangle, PixelSides } from '@roadshow/contract/catalog/pixel-maps'
import { Input, InputNumber } from 'antd'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { pitchText, sizeText } from './measures.ts'
import { SidesField } from './SidesField.tsx'

const sidesText = (value: unknown) =>
  truckSides
    .map((side) => {
      const rectangle = (value as PixelSides)[side]
      return `${truckSideLabel[side]} ${sizeText(rectangle)} at ${rectangle.x}, ${rectangle.y}`
    })
    .join('\n')

const readSides = (sides: PixelSides) => <SidesField value={sides} />

const pixelsText = (count: number) => `${count} px`

const fields: FieldsOf<PixelMapInput> = {
  name: 'Name',
  pitchUm: ['Pixel pitch', (value) => `${pitchText(Number(value))} mm`],
  width: 'Canvas width',
  height: 'Canvas height',
  sides: ['Sides, in pixels from the top left corner', sidesText],
  note: 'Note',
}

// What a ten-foot body with one processor has, to start from.
const blank: PixelMapInput = {
  name: '',
  pitchUm: 5000,
  width: 1664,
  height: 768,
  sides: {
    driverSide: { x: 0, y: 0, width: 1280, height: 384 },
    passengerSide: { x: 0, y: 384, width: 1280, height: 384 },
    rear: { x: 1280, y: 0, width: 384, height: 384 },
  },
  note: '',
}

// The database gives the parts of a side in an order of its own; the same order everywhere tells edits from none.
const inOrder = ({ x, y, width, height }: PixelRectangle): PixelRectangle => ({ x, y, width, height })

export default function PixelForm(drawer: RecordFormProps) {
  return (
    <FormDrawer
      {...drawer}
      noun="pixel map"
      calls={pixel}
      fields={fields}
      blank={blank}
      nameOf={(map) => map.name}
      toInput={({ name, pitchUm, width, height, sides, note }) => {
        const { driverSide, passengerSide, rear } = sides
        return {
          name,
          pitchUm,
          width,
          height,
          sides: {
            driverSide: inOrder(driverSide),
            passengerSide: inOrder(passengerSide),
            rear: inOrder(rear),
          },
          note,
        }
      }}
      onDelete="It will be removed from the list. Give trucks that use it another one first."
      large
    >
      {() => (
        <>
          <Section title="Canvas">
            <Field name="name">
              <Input maxLength={80} />
            </Field>
            <Field name="pitchUm">
              <Pitch />
            </Field>
            <Field name="width" reads={pixelsText}>
              <InputNumber min={1} max={MAX_CANVAS} precision={0} suffix="px" style={{ width: '100%' }} />
            </Field>
            <Field name="height" reads={pixelsText}>
              <InputNumber min={1} max={MAX_CANVAS} precision={0} suffix="px" style={{ width: '100%' }} />
            </Field>
          </Section>
          <Section title="Sides" wide>
            <Field name="sides" dependsOn={['width', 'height']} reads={readSides}>
              <SidesField />
            </Field>
          </Section>
          <NoteSection />
        </>
      )}
    </FormDrawer>
  )
}

interface PitchProps {
  /** The form gives these; micrometers. */
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
}

/** Typed and shown in millimeters, as data sheets give it. */
const Pitch = ({ value, onChange, ...rest }: PitchProps) => (
  <InputNumber
    {...rest}
    value={typeof value === 'number' ? value / UM_PER_MM : null}
    onChange={(typed) => onChange?.(typed === null ? null : Math.round(typed * UM_PER_MM))}
    step={0.1}
    min={0}
    suffix="mm"
    style={{ width: '100%' }}
  />
)
