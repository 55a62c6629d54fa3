import type { core } from 'zod'

const types: Record<string, string> = {
  string: 'Must be text.',
  number: 'Must be a number.',
  int: 'Must be a whole number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
}

const formats: Record<string, string> = {
  email: 'Enter a valid email address.',
  uuid: 'Not a valid id.',
  url: 'Enter a web address that starts with https://.',
  date: 'Enter a date such as 2026-11-16.',
  datetime: 'Enter a date and time such as 2026-11-16T20:00:00Z.',
  time: 'Enter a time such as 20:00.',
}

const NOT_VALID = 'Not a valid value.'

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  file: ['byte', 'bytes'],
}
const amountOf = (count: number | bigint, origin: string) =>
  `${count} ${(units[origin] ?? ['entry', 'entries'])[Number(count) === 1 ? 0 : 1]}`
const isCounted = (origin: string) => ['string', 'array', 'set', 'map', 'file'].includes(origin)

function explainTooSmall({ origin, minimum, inclusive }: core.$ZodIssueTooSmall): string {
  if (!isCounted(origin)) return inclusive === false ? `Must be more than ${minimum}.` : `Must be at least ${minimum}.`
  return minimum === 1 ? 'Required.' : `At least ${amountOf(minimum, origin)}.`
}

function explainTooBig({ origin, maximum, inclusive }: core.$ZodIssueTooBig): string {
  if (!isCounted(origin)) return inclusive === false ? `Must be less than ${maximum}.` : `Must be at most ${maximum}.`
  return `At most ${amountOf(maximum, origin)}.`
}

/** A sentence for a person about a value that its schema refuses. */
export function explainIssue(issue: core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'Required.' : (types[issue.expected] ?? NOT_VALID)
    case 'too_small':
      return explainTooSmall(issue as unknown as core.$ZodIssueTooSmall)
    case 'too_big':
      return explainTooBig(issue as unknown as core.$ZodIssueTooBig)
    case 'invalid_format':
      return formats[issue.format] ?? NOT_VALID
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Unknown ${issue.keys.length === 1 ? 'field' : 'fields'}: ${issue.keys.join(', ')}.`
    case 'invalid_value':
      return issue.values.length === 1
        ? `Must be ${String(issue.values[0])}.`
        : `Must be one of: ${issue.values.join(', ')}.`
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    default:
      return NOT_VALID
  }
}
