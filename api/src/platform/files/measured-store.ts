import { Histogram } from 'prom-client'
import type { BlobStore } from './store.ts'

export const storageSeconds = new Histogram({
  name: 'roadshow_storage_seconds',
  help: 'Time that operations of the file storage took, by how they ended: done or failed.',
  labelNames: ['operation', 'outcome'] as const,
  buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60],
  registers: [],
})

function timed<Args extends unknown[], T>(operation: string, work: (...args: Args) => Promise<T>) {
  return async (...args: Args): Promise<T> => {
    const stop = storageSeconds.startTimer({ operation })
    try {
      const result = await work(...args)
      stop({ outcome: 'done' })
      return result
    } catch (error) {
      stop({ outcome: 'failed' })
      throw error
    }
  }
}

/** The same store, whose operations are timed. Reading counts until its first byte. */
export const measuredStore = (store: BlobStore): BlobStore => ({
  ...store,
  write: timed('write', (...args) => store.write(...args)),
  writeFile: timed('write', (...args) => store.writeFile(...args)),
  read: timed('read', (...args) => store.read(...args)),
  size: timed('size', (...args) => store.size(...args)),
  move: timed('move', (...args) => store.move(...args)),
  remove: timed('remove', (...args) => store.remove(...args)),
})
