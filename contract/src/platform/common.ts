import * as z from './zod.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from './constants.ts'

// A reader does not page deeper than this; a search finds the row sooner.
const MAX_PAGE = 1_000_000

// PostgreSQL cannot store U+0000 or half of a surrogate pair in text; other control characters do not belong on one line.
// oxlint-disable-next-line no-control-regex
const LINE = /^[^\u0000-\u001f\u007f\ud800-\udfff]*$/u
// oxlint-disable-next-line no-control-regex
const LINES = /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ud800-\udfff]*$/u

const UNSTORABLE = 'Contains characters that cannot be stored.'

const trimmed = () => z.string('Must be text.').trim()
const atMost = (max: number) => `At most ${max} characters.`
const bounded = (max: number) => trimmed().max(max, atMost(max))

/** One line of text as a person types it. */
export const textLine = (max: number) => bounded(max).regex(LINE, UNSTORABLE)

/** One line in upper case. Its length is measured afterwards, because some letters become two, such as ß. */
export const upperCaseLine = (max: number) => trimmed().toUpperCase().max(max, atMost(max)).regex(LINE, UNSTORABLE)

/** One line that must not be empty. */
export const requiredLine = (max: number) => textLine(max).min(1, 'Required.')

/** Text of several lines. */
export const paragraph = (max: number) => bounded(max).regex(LINES, UNSTORABLE)

export const uid = z.uuid('Not a valid id.')

// The database has no year 0, and rounding to microseconds must not reach the year 10000.
const isStorable = (given: string) => given >= '0001' && given < '9999-12-31'
const A_TIME = 'Must be a UTC time such as 2026-07-01T15:04:05Z.'

/** An instant by any clock, also one that is wrong by centuries. */
export const instant = z.iso.datetime(A_TIME).refine(isStorable, A_TIME)

const [FIRST_YEAR, LAST_YEAR] = [1970, 2199]
const A_YEAR = `Must be between ${FIRST_YEAR} and ${LAST_YEAR}.`
const isPlausible = (given: string) => {
  const year = new Date(given).getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/** An instant that a person or a program chooses. */
export const chosenInstant = z.iso.datetime(A_TIME).refine(isPlausible, A_YEAR)

/** The same, in the zone of its sender. */
export const zonedInstant = z.iso
  .datetime({
    offset: true,
    error: 'Must be a time with its zone, such as 2026-11-16T20:00:00Z or 2026-11-16T14:00:00-06:00.',
  })
  .refine(isPlausible, A_YEAR)

export const version = z.int32('Must be a whole number.').min(1, 'Must be at least 1.')

const A_DAY = 'Must be a date such as 2026-07-01.'
/** A calendar day, such as 2026-07-01, within a plausible range of years. */
export const day = z.iso.date(A_DAY).refine(isPlausible, A_YEAR)

/** A calendar day, or today in each market. */
export const dayOrToday = z.union([z.literal('today'), day], 'Must be today or a date such as 2026-07-01.')

/** A record with its uid; users call theirs userUid. */
export type Keyed = { uid: string } | { userUid: string }
export const uidOf = (record: Keyed): string => ('userUid' in record ? record.userUid : record.uid)

/** Uid and name of a record, as other records show it. */
export const namedRef = z.strictObject({ uid, name: z.string() })

/** A whole number in a query string. */
export const queryNumber = (min: number, max: number) => {
  const message = `Must be a whole number from ${min} to ${max}.`
  return z
    .string(message)
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.number().min(min, message).max(max, message))
}

/** One or several values of a filter: `state=active&state=retired`. */
export const anyOf = <T extends z.ZodType>(value: T) =>
  z
    .union([z.array(value).max(100, 'At most 100 values.'), value])
    .transform((given) => (Array.isArray(given) ? given : [given]) as z.output<T>[])

const sortable = <const S extends readonly string[]>(sorts: S) =>
  sorts.flatMap((name) => [name, `-${name}`]) as (S[number] | `-${S[number]}`)[]

export const exportFormat = z.enum(['csv', 'xlsx'], 'Must be csv or xlsx.')
export type ExportFormat = z.infer<typeof exportFormat>

/** Whether this is a zone that Intl can show times in. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The name of a time zone. */
export const timeZone = textLine(60).refine(isTimeZone, 'Must be a time zone such as America/Chicago.')

/** How a file is asked for: its format, and the zone of times that belong to no market; UTC by default. */
const exportOptions = {
  format: exportFormat.optional(),
  timeZone: timeZone.optional(),
}
/** The fields to omit from the query of a list that has no file. */
export const NO_EXPORT = { format: true, timeZone: true } as const

/** The query of a list: paging, search, sorting, its own filters, and how its file is asked for. */
export const listQuery = <const S extends readonly [string, ...string[]], F extends z.ZodRawShape>(
  sorts: S,
  filters: F,
) => {
  const names = sortable(sorts)
  return z.strictObject({
    page: queryNumber(1, MAX_PAGE).prefault('1'),
    pageSize: queryNumber(1, MAX_PAGE_SIZE).prefault(String(PAGE_SIZE)),
    search: textLine(200).optional(),
    sort: z.enum(names, `Must be one of ${names.join(', ')}.`).optional(),
    ...exportOptions,
    ...filters,
  })
}

export const one = <T extends z.ZodType>(record: T) => z.strictObject({ data: record })
export const page = <T extends z.ZodType>(record: T) =>
  z.strictObject({
    data: z.array(record),
    page: z.int(),
    pageSize: z.int(),
    total: z.int().min(0),
  })

export interface Page<T> {
  data: T[]
  page: number
  pageSize: number
  total: number
}
