import { type ErrorBody, type ErrorCode, errors } from '@roadshow/contract'

interface Details {
  /** Form field to its message. */
  fields?: Record<string, string>
  /** Instead of the table's sentence, where it can name what is in the way. */
  text?: string
  /** The record in the way. */
  conflict?: ErrorBody['conflict']
  /** Seconds after which trying again makes sense. */
  retryAfter?: number
}

/** An answer that is not a success. The codes are a closed list, so none lacks a status and a sentence. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly fields: Record<string, string> | undefined
  readonly conflict: ErrorBody['conflict']
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, { fields, text, conflict, retryAfter }: Details = {}) {
    super(text ?? errors[code][1])
    this.name = 'AppError'
    this.code = code
    this.fields = fields
    this.conflict = conflict
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errors[this.code][0]
  }

  get body(): ErrorBody {
    const { code, fields, conflict } = this
    return { error: this.message, code, ...(fields && { fields }), ...(conflict && { conflict }) }
  }
}
