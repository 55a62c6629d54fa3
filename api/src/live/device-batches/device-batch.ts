import { MAX_BATCH, type RowAck } from '@roadshow/contract'
import type { z } from 'zod'
import { AppError } from '../../platform/runtime/app-error.ts'
import { keptSince } from '../../platform/db/partitions.ts'
import { storableText } from '../../platform/db/storable-text.ts'

/** Clocks of devices may be ahead by this much. */
const AHEAD_MS = 5 * 60_000

/** Why a row is not stored: `later` it may be. */
export interface RowProblem {
  result: 'rejected' | 'later'
  reason: string
}

/** The problem with the time of a row, or undefined. A time in the future is only too early. */
export function timeProblem(at: string | number, oldestMs: number, now: number): RowProblem | undefined {
  const ms = typeof at === 'string' ? Date.parse(at) : at
  if (ms > now + AHEAD_MS) return { result: 'later', reason: "This time is in the future. Check the device's clock." }
  return ms < oldestMs ? { result: 'rejected', reason: 'This time is older than the data that is kept.' } : undefined
}

// Older events of drivers are refused.
const KEPT_DAYS = 366

/** The problem with the time of what a driver did, or undefined. */
export const timeProblemOfEvent = (at: string, now: number): RowProblem | undefined =>
  timeProblem(at, keptSince(KEPT_DAYS, now), now)

/** Why a row is taken later: its sender has reported too much in this minute. */
export const TOO_MANY_REPORTS = 'Too many reports within a minute. This one is taken when it is sent again.'

export interface SentRow<Row> {
  id: string
  row: Row
}

/** A row that was refused, as it was sent. */
interface RefusedRow {
  raw: unknown
  id: string
  reason: string
  /** A row with its id is stored. */
  isDuplicate: boolean
}

/** The rows of a message from a device, and the answer to each of them in the order in which they were sent. */
export class DeviceBatch<Row> {
  readonly rows: SentRow<Row>[] = []
  readonly #acks: (RowAck | undefined)[] = []
  readonly #places = new Map<SentRow<Row>, number>()
  readonly #sent: readonly unknown[]

  /** Parses a message. An invalid row is rejected alone, so that it does not hold up the others. */
  constructor(message: unknown, schema: z.ZodType<Row>, idField: string) {
    if (!Array.isArray(message)) throw new AppError('badInput', { text: 'A batch must be a list of rows.' })
    if (message.length > MAX_BATCH)
      throw new AppError('tooLarge', { text: `A batch can have at most ${MAX_BATCH} rows.` })
    this.#sent = message
    for (const [place, raw] of (message as unknown[]).entries()) {
      const { success, data, error } = schema.safeParse(raw)
      const id = idOfRow(raw, idField)
      if (success) this.#add({ id, row: data }, place)
      else this.#acks[place] = { id, result: 'rejected', reason: reasonOfRow(error) }
    }
  }

  #add(sent: SentRow<Row>, place: number): void {
    this.rows.push(sent)
    this.#places.set(sent, place)
  }

  answer(sent: SentRow<Row>, result: RowAck['result'], reason?: string): void {
    const place = this.#places.get(sent)
    if (place !== undefined) this.#acks[place] = { id: sent.id, result, ...(reason !== undefined && { reason }) }
  }

  /** Answers the rows that have a problem, and returns the others. */
  setAside(problemOf: (row: Row) => RowProblem | undefined): SentRow<Row>[] {
    return this.rows.filter((sent) => {
      const problem = problemOf(sent.row)
      if (problem) this.answer(sent, problem.result, problem.reason)
      return problem === undefined
    })
  }

  /** The rows that are not stored although they will not come again, as they were sent, with the reason. */
  get refusedRows(): RefusedRow[] {
    return this.#sent.flatMap((raw, place) => {
      const { result, id = '', reason = '' } = this.#acks[place] ?? {}
      return result === 'rejected' || result === 'duplicate'
        ? { raw, id, reason, isDuplicate: result === 'duplicate' }
        : []
    })
  }

  get acks(): { rows: RowAck[] } {
    return { rows: this.#acks.filter((ack) => ack !== undefined) }
  }
}

/** The id of a row that may be anything. */
export function idOfRow(raw: unknown, field: string): string {
  const id = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined
  return typeof id === 'string' ? id.slice(0, 200) : ''
}

// A reason names fields as the device wrote them, and is stored with the numbers of rejected plays.
const LONGEST_REASON = 300

/** Why a row cannot be read. */
export function reasonOfRow({ issues: [issue] }: z.ZodError): string {
  if (!issue) return 'This row cannot be read.'
  return storableText([issue.path.join('.'), issue.message].filter(Boolean).join(': '), LONGEST_REASON)
}
