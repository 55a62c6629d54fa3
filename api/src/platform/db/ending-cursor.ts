import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import Cursor from 'pg-cursor'

/** The internals used here, which the types leave out. */
interface Inside {
  connection: (EventEmitter & { stream: Pick<Socket, 'closed' | 'destroyed'> }) | null
}

/**
 * A cursor that can be closed on a broken connection. The library waits for the server to confirm: after a lost
 * connection the reader would wait forever and keep a connection of the pool.
 */
export class EndingCursor<Row = unknown> extends Cursor<Row> {
  override close(): Promise<void>
  override close(done: (error: Error) => void): undefined
  override close(done?: (error: Error) => void): Promise<void> | undefined
  override close(done?: (error: Error) => void): Promise<void> | undefined {
    if (done) return super.close(done)
    const { connection } = this as unknown as Inside
    if (!connection || connection.stream.closed) return Promise.resolve()
    return new Promise<void>((resolve, reject) => {
      const gone = () => resolve()
      connection.once('end', gone)
      if (connection.stream.destroyed) return
      super
        .close()
        .then(resolve, reject)
        .finally(() => connection.off('end', gone))
    })
  }
}
