// Amounts, numbers and choices as people type them. This file has no schemas, so that a page can use it without loading zod.
import type { Reading } from './typed-time.ts'

const MONEY = /^\(?[-−]?\$? ?(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2})0*)?\)?(?: ?(?:usd|dollars?))?$/i
const A_PRICE = 'Must be an amount such as $1,250.00 or 1250.'

/** Reads an amount of money in cents: `$1,250.00`, `1250`, `1,250.5`. */
export function readMoney(typed: string): Reading<number> {
  const text = typed.trim().replace(/^\$ /, '$')
  const [, dollars, cents = ''] = MONEY.exec(text) ?? []
  if (dollars === undefined) return { problem: A_PRICE }
  if (/[-−(]/.test(text)) return { problem: 'Must not be negative.' }
  return { value: Number(dollars.replaceAll(',', '')) * 100 + Number(cents.padEnd(2, '0')) }
}

/** Reads a whole number: `1,250`, `1250.0`. */
export function readWhole(typed: string): Reading<number> {
  const digits = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.0+)?$/.exec(typed.trim())?.[1]
  return digits === undefined
    ? { problem: 'Must be a whole number such as 1,250.' }
    : { value: Number(digits.replaceAll(',', '')) }
}

/** Reads a number with its digits after the point, such as a latitude. */
export function readDecimal(typed: string): Reading<number> {
  const text = typed.trim().replace(/^−/, '-').replace(/ ?°$/, '')
  return /^[+-]?\d+(\.\d+)?(e-?\d{1,2})?$/i.test(text)
    ? { value: Number(text) }
    : { problem: 'Must be a number such as 29.7604.' }
}

const keyOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Reads one of several choices, by its key, its label or another word that people use for it. */
export function readChoice<Key extends string>(
  typed: string,
  labels: Readonly<Record<Key, string>>,
  others?: Readonly<Partial<Record<NoInfer<Key>, readonly string[]>>>,
): Reading<Key> {
  const wanted = keyOf(typed)
  const keys = Object.keys(labels) as Key[]
  const found = keys.find((key) => [key, labels[key], ...(others?.[key] ?? [])].some((word) => keyOf(word) === wanted))
  if (found !== undefined) return { value: found }
  const words = keys.map((key) => labels[key])
  return { problem: `Must be ${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}.` }
}
