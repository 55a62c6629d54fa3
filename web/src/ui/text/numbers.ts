/** `1,234` */
export const formatCount = (number: number): string => number.toLocaleString('en-US')

/** `1 photo`, `1,234 photos` */
export const countOf = (number: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(number)} ${number === 1 ? noun : plural}`
