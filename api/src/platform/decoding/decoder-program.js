// The program of a decoder: a process of its own with limited memory and processor time, which reads files that users send.
// It is JavaScript, as the tasks are, so that Node starts it from the sources (tests) as from a release; its types are checked.
import { isOutOfMemory, Refusal } from './refusal.js'

/** @typedef {import('./task-file.ts').TaskFile} TaskFile */
/** @typedef {import('./task-file.ts').ToDecoder} ToDecoder */
/** @typedef {import('./task-file.ts').FromDecoder} FromDecoder */

// Bytes travel in pieces, so that the node never holds a large file for its decoder.
const PIECE = 1024 * 1024

/** @type {Map<number, (bytes: Buffer) => void>} */
const reading = new Map()
let lastId = 0

/** @param {FromDecoder} message */
const send = (message) => void process.send?.(message)

/**
 * @param {number} start
 * @param {number} length
 * @returns {Promise<Buffer>}
 */
function read(start, length) {
  const id = ++lastId
  return new Promise((resolve) => {
    reading.set(id, resolve)
    send({ kind: 'read', id, start, length })
  })
}

/** @param {number} size */
async function readWhole(size) {
  const content = Buffer.allocUnsafeSlow(size)
  let at = 0
  while (at < size) {
    const piece = await read(at, Math.min(PIECE, size - at))
    if (piece.length === 0) break
    piece.copy(content, at)
    at += piece.length
  }
  return content.subarray(0, at)
}

/**
 * @param {Extract<ToDecoder, { kind: 'run' }>} work
 * @returns {Promise<FromDecoder>}
 */
async function run({ module, name, input, size, limits }) {
  try {
    /** @type {Record<string, (input: unknown, file: TaskFile) => Promise<unknown>>} */
    const tasks = await import(module)
    const file = { size, read, whole: () => readWhole(size), limits }
    return { kind: 'done', result: await tasks[name]?.(input, file) }
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', code: error.code, text: error.message }
    if (isOutOfMemory(error)) return { kind: 'exhausted' }
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

// The node has ended, however it did.
process.on('disconnect', () => process.exit())

process.on('message', (/** @type {ToDecoder} */ message) => {
  if (message.kind === 'run') return void run(message).then(send)
  reading.get(message.id)?.(message.bytes)
  reading.delete(message.id)
})
