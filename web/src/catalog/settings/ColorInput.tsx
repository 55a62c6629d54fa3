import { Input } from 'antd'
import { Row } from '../../ui/layout.tsx'
import { colorIn } from '../../brand/colors.ts'

interface ColorInputProps {
  value?: string | null
  onChange?: (color: string | null) => void
  id?: string
}

/** A color by its sign or from the browser's own chooser; empty for the look's own. */
export function ColorInput({ value, onChange, id }: ColorInputProps) {
  return (
    <Row gap={2}>
      <Input
        type="color"
        aria-label="Choose a color"
        value={value ?? colorIn('headlight', 'light')}
        onChange={({ target }) => onChange?.(target.value.toUpperCase())}
        style={{ width: 56 }}
      />
      <Input
        {...(id !== undefined && { id })}
        value={value ?? ''}
        placeholder="The usual color"
        maxLength={7}
        allowClear
        onChange={({ target }) => onChange?.(target.value === '' ? null : target.value)}
      />
    </Row>
  )
}
