import type { BatchAck } from '@roadshow/contract'
import type { DeviceLink } from './device-link.ts'

// Well below what a message may hold, so that an hour of backlog goes out in a few of them.
const BATCH = 400
const KEPT = 200_000

/** What a device has to send: kept until the server says that it is on disk, and sent again until then. */
export class Outbox<Row> {
  readonly #event: string
  readonly #idOf: (row: Row) => string
  readonly #onStored: ((ids: string[]) => void) | undefined
  #rows: Row[] = []
  #isSending = false
  sent = 0
  rejected = 0

  constructor(event: string, idOf: (row: Row) => string, onStored?: (ids: string[]) => void) {
    this.#event = event
    this.#idOf = idOf
    this.#onStored = onStored
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
    const answer = await link.request<Extract<BatchAck, { rows: unknown }>>(this.#event, this.#rows.slice(0, BATCH))
    if (!answer) return false
    // Accepted or duplicate is on disk; rejected would be rejected again.
    const done = new Set(answer.rows.map(({ id }) => id))
    this.#onStored?.(answer.rows.filter(({ result }) => result !== 'rejected').map(({ id }) => id))
    const before = this.#rows.length
    this.#rows = this.#rows.filter((row) => !done.has(this.#idOf(row)))
    this.rejected += answer.rows.filter(({ result }) => result === 'rejected').length
    this.sent += before - this.#rows.length
    return before > this.#rows.length
  }
}
