import { formatDollars } from '@roadshow/contract/platform/figures'
import { InputNumber } from 'antd'

interface MoneyInputProps {
  id?: string
  /** In cents. */
  value?: number | null
  onChange?: (cents: number | null) => void
  onBlur?: () => void
}

/** An amount: typed in dollars, kept in whole cents. */
export const MoneyInput = ({ value, onChange, ...input }: MoneyInputProps) => (
  <InputNumber<number>
    {...input}
    prefix="$"
    precision={2}
    formatter={(dollars, { userTyping, input }) =>
      userTyping || dollars === undefined || `${dollars}` === '' ? input : formatDollars(dollars * 100).slice(1)
    }
    // An empty field stays empty: a number would be 0.
    parser={(typed) => (typed ?? '').replaceAll(/[$,\s]/g, '') as unknown as number}
    min={0}
    controls={false}
    inputMode="decimal"
    value={typeof value === 'number' ? value / 100 : null}
    onChange={(dollars) => onChange?.(dollars === null ? null : Math.round(dollars * 100))}
    style={{ width: '100%' }}
  />
)
