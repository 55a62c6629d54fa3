import { MAX_BATCH, type RowAck } from '@roadshow/contract'
import type { z } from 'zod'
import { AppError } from '../../platform/runtime/app-error.ts'

/** Clocks of devices may be ahead by as much. */
const AHEAD_MS = 5 * 60_000

/** Why a moment cannot be believed, or undefined. */
export function untimely(at: string, oldestMs: number, now: number): string | undefined {
  const ms = Date.parse(at)
  if (ms > now + AHEAD_MS) return 'It is in the future: please check the clock of the device.'
  return ms < oldestMs ? 'It is older than anything that is kept.' : undefined
}

interface Sent<Row> {
  id: string
  row: Row
}

/** What came of the rows of a batch, in the order in which they were sent. */
export class Batch<Row> {
  readonly rows: Sent<Row>[] = []
  readonly #acks: (RowAck | undefined)[] = []
  readonly #places = new Map<Sent<Row>, number>()

  /** Reads what was sent. A row that makes no sense is rejected alone: the others have to get through. */
  constructor(sent: unknown, schema: z.ZodType<Row>, idField: string) {
    if (!Array.isArray(sent)) throw new AppError('badInput', { text: 'A batch is a list of rows.' })
    if (sent.length > MAX_BATCH) throw new AppError('tooLarge', { text: `A batch has at most ${MAX_BATCH} rows.` })
    for (const [place, given] of (sent as unknown[]).entries()) {
      const { success, data, error } = schema.safeParse(given)
      const id = idOf(given, idField)
      if (success) this.#keep({ id, row: data }, place)
      else this.#acks[place] = { id, result: 'rejected', reason: reasonOf(error) }
    }
  }

  #keep(sent: Sent<Row>, place: number): void {
    this.rows.push(sent)
    this.#places.set(sent, place)
  }

  answer(sent: Sent<Row>, result: RowAck['result'], reason?: string): void {
    const place = this.#places.get(sent)
    if (place !== undefined) this.#acks[place] = { id: sent.id, result, ...(reason !== undefined && { reason }) }
  }

  /** Rejects the rows for which there is a reason, and hands on the others. */
  rejectIf(reason: (row: Row) => string | undefined): Sent<Row>[] {
    return this.rows.filter((sent) => {
      const why = reason(sent.row)
      if (why !== undefined) this.answer(sent, 'rejected', why)
      return why === undefined
    })
  }

  get acks(): { rows: RowAck[] } {
    return { rows: this.#acks.filter((ack) => ack !== undefined) }
  }
}

function idOf(given: unknown, field: string): string {
  const id = typeof given === 'object' && given !== null ? (given as Record<string, unknown>)[field] : undefined
  return typeof id === 'string' ? id.slice(0, 200) : ''
}

function reasonOf({ issues: [issue] }: z.ZodError): string {
  return issue ? [issue.path.join('.'), issue.message].filter(Boolean).join(': ') : 'It cannot be read.'
}
