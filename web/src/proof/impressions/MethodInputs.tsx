import { roadClasses, roadClassLabel } from '@roadshow/contract/proof/impressions'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import { Button, Checkbox, Form, Input, InputNumber } from 'antd'
import type { InputNumberProps } from 'antd'
import { Section } from '../../ui/form/fields.tsx'
import { oneLine } from '../../ui/rows/oneLine.ts'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import { marketLookup } from '../../catalog/lookups/marketLookup.ts'
import { ListErrors } from '../../ui/form/EditForm.tsx'
import styles from './impressions.module.css'

type PercentInputProps = Omit<InputNumberProps<number>, 'value' | 'onChange'> & {
  /** A share from 0 to 1, as it is stored. */
  value?: number | null
  onChange?: (share: number | null) => void
}

/** A share typed in percent. */
const PercentInput = ({ value, onChange, ...input }: PercentInputProps) => (
  <InputNumber<number>
    {...input}
    min={0}
    max={100}
    suffix="%"
    value={typeof value === 'number' ? Math.round(value * 10_000) / 100 : null}
    onChange={(percent) => onChange?.(percent === null ? null : Math.round(percent * 100) / 10_000)}
  />
)

const wide = { width: '100%' }

/** Every table of the method, each with its source. */
export const MethodInputs = () => (
  <>
    <Section title="Daily traffic by road and area" wide>
      <Areas />
      <Source of="areas" />
    </Section>
    <Section title="Hours of the day" wide>
      <Hours />
      <Source of="hours" />
    </Section>
    <Section title="Road class by speed" wide>
      <div className={styles.numbers}>
        <Form.Item name={['inputs', 'speeds', 'interstateFromMph']} label="Interstate from">
          <InputNumber min={1} max={100} suffix="mph" style={wide} />
        </Form.Item>
        <Form.Item name={['inputs', 'speeds', 'principalArterialFromMph']} label="Principal arterial from">
          <InputNumber min={1} max={100} suffix="mph" style={wide} />
        </Form.Item>
      </div>
      <Source of="speeds" />
    </Section>
    <Section title="Vehicles that look at a side" wide>
      <Sides />
      <Source of="sides" />
    </Section>
    <Section title="People and light" wide>
      <Form.Item name={['inputs', 'occupancy']} label="People in a vehicle">
        <InputNumber min={1} max={10} step={0.1} style={wide} />
      </Form.Item>
      <Source of="occupancy" />
      <Form.Item name={['inputs', 'isLit', 'led']} valuePropName="checked">
        <Checkbox>LED trucks are lit at night</Checkbox>
      </Form.Item>
      <Form.Item name={['inputs', 'isLit', 'printed']} valuePropName="checked">
        <Checkbox>Printed trucks are lit at night</Checkbox>
      </Form.Item>
      <Source of="isLit" />
    </Section>
  </>
)

const Source = ({ of }: { of: string }) => (
  <Form.Item
    name={['inputs', 'sources', of]}
    label="Source"
    extra="Say so where it is an assumption."
    normalize={oneLine}
  >
    <Input.TextArea maxLength={300} autoSize />
  </Form.Item>
)

const blankArea = { name: '', marketUid: '', dailyVehicles: {} }

const Areas = () => (
  <Form.List name={['inputs', 'areas']}>
    {(rows, { add, remove }, { errors }) => (
      <>
        {rows.map(({ key, name }) => (
          <div key={key} className={styles.area} role="group" aria-label={`Area ${name + 1}`}>
            <Form.Item
              name={[name, 'name']}
              label="Area"
              extra={name === 0 && 'For every market without its own area.'}
            >
              <Input maxLength={120} />
            </Form.Item>
            {name > 0 && (
              <Form.Item name={[name, 'marketUid']} label="Market">
                <RecordSelect lookup={marketLookup} allowClear={false} />
              </Form.Item>
            )}
            <div className={styles.numbers}>
              {roadClasses.toReversed().map((road) => (
                <Form.Item key={road} name={[name, 'dailyVehicles', road]} label={roadClassLabel[road]}>
                  <InputNumber min={0} max={1_000_000} suffix="a day" style={wide} />
                </Form.Item>
              ))}
            </div>
            {name > 0 && <Button onClick={() => remove(name)}>Remove this area</Button>}
          </div>
        ))}
        <ListErrors errors={errors} />
        <Button onClick={() => add(blankArea)}>Add an area for a market</Button>
      </>
    )}
  </Form.List>
)

const clockOf = (hour: number) => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

const Hours = () => (
  <div className={styles.hours}>
    {HOURS.map((hour) => (
      <div key={hour} className={styles.hour}>
        <span>{clockOf(hour)}</span>
        <Form.Item name={['inputs', 'hours', hour, 'share']} noStyle>
          <PercentInput aria-label={`Share of the hour from ${clockOf(hour)}`} style={wide} />
        </Form.Item>
        <Form.Item name={['inputs', 'hours', hour, 'isNight']} valuePropName="checked" noStyle>
          <Checkbox aria-label={`${clockOf(hour)} is dark`}>dark</Checkbox>
        </Form.Item>
      </div>
    ))}
  </div>
)

const directions = { opposite: 'opposite direction', same: 'same direction' } as const

const Sides = () => (
  <div className={styles.numbers}>
    {truckSides.flatMap((side) =>
      Object.entries(directions).map(([direction, words]) => (
        <Form.Item
          key={`${side} ${direction}`}
          name={['inputs', 'sides', side, direction]}
          label={`${truckSideLabel[side]}, ${words}`}
        >
          <PercentInput style={wide} />
        </Form.Item>
      )),
    )}
  </div>
)
