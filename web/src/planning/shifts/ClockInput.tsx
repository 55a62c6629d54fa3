import { Input } from 'antd'
import { useState } from 'react'

interface ClockInputProps {
  /** `08:00` */
  value?: string
  onChange?: (time: string) => void
  onBlur?: () => void
  id?: string
}

const TYPED = /^(\d{1,2})(?:[:.]?(\d{2}))?\s*(am?|pm?)?$/i

/** `8`, `8:30`, `0830` and `8:30 pm` as 24-hour times; other text stays as typed. */
export function clockOf(typed: string): string {
  const found = TYPED.exec(typed.trim())
  if (!found) return typed.trim()
  const [, hours = '', minutes = '00', half] = found
  const isPm = half?.toLowerCase().startsWith('p')
  const hour = half ? (Number(hours) % 12) + (isPm ? 12 : 0) : Number(hours)
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

/** A time of day in 24-hour form; the browser's own field would follow its language. */
export function ClockInput({ value = '', onChange, onBlur, ...field }: ClockInputProps) {
  const [typed, setTyped] = useState<string>()
  const settle = () => {
    setTyped(undefined)
    onBlur?.()
  }
  return (
    <Input
      {...field}
      className="figures"
      inputMode="numeric"
      autoComplete="off"
      placeholder="08:00"
      maxLength={8}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange?.(clockOf(target.value))
      }}
      onBlur={settle}
    />
  )
}
