import { Writable } from 'node:stream'
import type pg from 'pg'

interface Wire {
  stream: { writableNeedDrain: boolean; once(event: 'drain', done: () => void): void }
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

type Done = (error?: Error | null) => void

/** A COPY … FROM STDIN as a writable stream. It finishes once the server has stored all rows. */
export class CopyIn extends Writable {
  #wire: Wire | undefined
  #isOpen = false
  #opened: (() => void) | undefined
  #finished: Done | undefined
  rows = 0

  constructor(private readonly text: string) {
    super({ highWaterMark: 1024 * 1024 })
  }

  submit(wire: Wire): void {
    this.#wire = wire
    wire.query(this.text)
  }

  handleCopyInResponse(): void {
    this.#isOpen = true
    this.#opened?.()
    // The stream was destroyed before the server was ready.
    if (this.destroyed) this.#wire?.sendCopyFail('given up')
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#whenOpen((wire) => {
      wire.sendCopyFromChunk(chunk)
      if (wire.stream.writableNeedDrain) wire.stream.once('drain', () => done())
      else done()
    })
  }

  override _final(done: Done): void {
    this.#finished = done
    this.#whenOpen((wire) => wire.endCopyFrom())
  }

  override _destroy(error: Error | null, done: Done): void {
    if (this.#isOpen && !this.#finished) this.#wire?.sendCopyFail('given up')
    done(error)
  }

  #whenOpen(send: (wire: Wire) => void): void {
    const open = () => {
      this.#opened = undefined
      if (this.#wire) send(this.#wire)
    }
    if (this.#isOpen) open()
    else this.#opened = open
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1] ?? 0)
  }

  handleReadyForQuery(): void {
    this.#wire = undefined
    this.#finished?.()
  }

  handleError(error: Error): void {
    this.#isOpen = false
    this.destroy(error)
  }
}

/** Starts a COPY … FROM STDIN on a connection. */
export function copyIn(client: pg.ClientBase, text: string): CopyIn {
  const copy = new CopyIn(text)
  client.query(copy as unknown as pg.Submittable)
  return copy
}
