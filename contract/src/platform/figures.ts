// Numbers, money, shares and phone numbers in words. This file has no schemas, so that a page can use it without
// loading zod.

// A format is made when it is first needed: a page that starts makes none.
const lazyFormat = (options: Intl.NumberFormatOptions) => {
  let format: Intl.NumberFormat | undefined
  return (number: number): string => (format ??= new Intl.NumberFormat('en-US', options)).format(number)
}
export const wholeNumber = lazyFormat({ maximumFractionDigits: 0 })
export const oneDigit = lazyFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })
export const upToOneDigit = lazyFormat({ maximumFractionDigits: 1 })
export const upToTwoDigits = lazyFormat({ maximumFractionDigits: 2 })
const dollars = lazyFormat({ style: 'currency', currency: 'USD' })

/** `1,234` */
export const formatCount = (number: number): string => wholeNumber(number)

/** `1 photo`, `1,234 photos` */
export const countOf = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(number)} ${number === 1 ? noun : plural}`

/** An amount of cents as people read it: `$15,000.00`, `−$20.00`. */
export const formatDollars = (cents: number): string => dollars(cents / 100).replace('-', '−')

/**
 * A share in percent, rounded once: `66%`. Only the whole reads 100%, and only nothing reads 0%; more than the whole
 * reads at least 100%.
 */
export function formatPercent(share: number, digits: 0 | 1 = 0): string {
  const [format, step] = digits === 0 ? ([wholeNumber, 1] as const) : ([upToOneDigit, 0.1] as const)
  const percent = share * 100
  const near = 1e-9
  if (percent <= near || percent >= 100 - near) return `${format(percent)}%`
  return `${format(Math.min(100 - step, Math.max(step, percent)))}%`
}

/** An American phone number as `(312) 555-0199`; others stay as they were typed. */
export function formatPhone(typed: string): string {
  const found = /^(?:\+?1[\s.-]*)?\(?(\d{3})\)?[\s.-]*(\d{3})[\s.-]*(\d{4})$/.exec(typed.trim())
  return found ? `(${found[1]}) ${found[2]}-${found[3]}` : typed
}
