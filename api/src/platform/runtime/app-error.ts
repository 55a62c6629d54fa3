import { type ErrorBody, type ErrorCode, errors } from '@roadshow/contract'

interface Details {
  /** Form field to its message. */
  fields?: Record<string, string>
  /** Instead of the table's sentence, where it can name what is in the way. */
  text?: string
  /** The record in the way. */
  conflict?: ErrorBody['conflict']
  /** The records that overlap with it. */
  clashes?: ErrorBody['clashes']
  /** What the second step of signing in needs. */
  secondFactor?: ErrorBody['secondFactor']
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/** An answer that is not a success. The codes are a closed list, so none lacks a status and a sentence. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly conflict: ErrorBody['conflict']
  readonly clashes: ErrorBody['clashes']
  readonly secondFactor: ErrorBody['secondFactor']
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, { fields, text, conflict, clashes, secondFactor, retryAfter }: Details = {}) {
    super(text ?? errors[code][1])
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.conflict = conflict
    this.clashes = clashes
    this.secondFactor = secondFactor
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errors[this.code][0]
  }

  get body(): ErrorBody {
    const { code, fields, conflict, clashes, secondFactor } = this
    return {
      error: this.message,
      code,
      ...(fields && { fields }),
      ...(conflict && { conflict }),
      ...(clashes && { clashes }),
      ...(secondFactor && { secondFactor }),
    }
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
