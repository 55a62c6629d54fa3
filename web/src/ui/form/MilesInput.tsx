import { toMeters, toMiles } from '@roadshow/contract/platform/geo'
import { InputNumber } from 'antd'
import type { InputNumberProps } from 'antd'

type MilesInputProps = Omit<InputNumberProps<number>, 'value' | 'onChange'> & {
  /** In meters, as it is stored. */
  value?: number | null
  onChange?: (meters: number | null) => void
}

/** A distance typed in miles. */
export const MilesInput = ({ value, onChange, step = 0.5, ...input }: MilesInputProps) => (
  <InputNumber<number>
    {...input}
    min={0}
    step={step}
    value={typeof value === 'number' ? Math.round(toMiles(value) * 100) / 100 : null}
    onChange={(miles) => onChange?.(miles === null ? null : toMeters(miles))}
  />
)
