const names = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })

/** `November` for `2026-11`. */
export const monthName = (month: string): string => names.format(Date.parse(`${month}-01T00:00:00Z`))
