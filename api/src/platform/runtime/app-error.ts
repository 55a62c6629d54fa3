import { type ErrorBody, type ErrorCode, errors } from '@roadshow/contract'

interface Details extends Pick<ErrorBody, 'fields' | 'conflict' | 'clashes' | 'inTheWay' | 'secondFactor'> {
  /** Instead of the table's sentence, where it can name what is in the way. */
  text?: string
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/** An answer that is not a success. The codes are a closed list, so none lacks a status and a sentence. */
export class AppError extends Error {
  override name = 'AppError'
  readonly body: ErrorBody
  readonly fields: Details['fields']
  readonly retryAfter: number | undefined

  constructor(
    readonly code: ErrorCode,
    { text, retryAfter, ...details }: Details = {},
  ) {
    super(text ?? errors[code][1])
    this.body = { error: this.message, code, ...details }
    this.fields = details.fields
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errors[this.code][0]
  }
}

/** Refuses a form when any of its fields has a message. */
export function refuseFields(fields: Record<string, string>): void {
  if (Object.keys(fields).length > 0) throw new AppError('badInput', { fields })
}

// More names would not be read.
const NAMED = 5

/** Names what is in the way in a sentence: all of a few, some of many. */
export function joinNames(names: readonly string[]): string {
  const rest = names.length - NAMED
  const parts = rest > 0 ? [...names.slice(0, NAMED), `${rest} more`] : names
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}
