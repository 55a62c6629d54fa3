import type { BatchAck } from '@roadshow/contract'
import type { DeviceLink } from './device-link.ts'

// Well below what a message may hold, so that an hour of backlog goes out in a few of them.
const BATCH = 400
const KEPT = 200_000

/** What a device has to send: kept until the server says that it is on disk, and sent again until then. */
export class Outbox<Row> {
  readonly #event: string
  readonly #idOf: (row: Row) => string
  #rows: Row[] = []
  #isSending = false
  sent = 0
  rejected = 0

  constructor(event: string, idOf: (row: Row) => string) {
    this.#event = event
    this.#idOf = idOf
  }

  get length(): number {
    return this.#rows.length
  }

  add(rows: readonly Row[]): void {
    this.#rows.push(...rows)
    // A disk is only so large: the oldest go first.
    if (this.#rows.length > KEPT) this.#rows.splice(0, this.#rows.length - KEPT)
  }

  /** Sends what there is, batch after batch, as long as the server answers. */
  async flush(link: Pick<DeviceLink, 'request'>): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#rows.length > 0 && (await this.#sendBatch(link))) continue
    } finally {
      this.#isSending = false
    }
  }

  async #sendBatch(link: Pick<DeviceLink, 'request'>): Promise<boolean> {
    const batch = this.#rows.slice(0, BATCH)
    const answer = await link.request<Extract<BatchAck, { rows: unknown }>>(this.#event, batch)
    if (!answer) return false
    // Accepted or duplicate is on disk; rejected would be rejected again; anything else is sent again later.
    const done = new Set(answer.rows.filter(({ result }) => result !== 'later').map(({ id }) => id))
    const sent = new Set(batch.map(this.#idOf))
    const before = this.#rows.length
    const left = this.#rows.filter((row) => !done.has(this.#idOf(row)))
    // Rows that wait do not hold up the others.
    this.#rows = [
      ...left.filter((row) => !sent.has(this.#idOf(row))),
      ...left.filter((row) => sent.has(this.#idOf(row))),
    ]
    this.rejected += answer.rows.filter(({ result }) => result === 'rejected').length
    this.sent += before - this.#rows.length
    return before > this.#rows.length
  }
}
