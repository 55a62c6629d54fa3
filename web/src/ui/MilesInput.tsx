import { toMeters, toMiles } from '@roadshow/contract/platform/geo'
import { InputNumber } from 'antd'
import type { InputNumberProps } from 'antd'

type MilesInputProps = Omit<InputNumberProps<number>, 'value' | 'onChange'> & {
  /** In metres, as it is stored. */
  value?: number | null
  onChange?: (metres: number | null) => void
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
