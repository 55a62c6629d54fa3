// This file runs in a thread of its own: converting results takes long, and the server goes on meanwhile. Statements
// themselves run in Node's shared pool of threads, so only a few run at once: files and names of hosts need the pool too.
// It is JavaScript, so that Node starts it from the sources (tests) as from `dist`; its types are checked.
import { parentPort, workerData } from 'node:worker_threads'
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(':memory:', workerData.options)

/** @type {Map<number, import('@duckdb/node-api').DuckDBConnection>} */
const sessions = new Map()
/** @type {Map<number, AsyncIterator<Record<string, unknown>[]>>} */
const streams = new Map()

/** @param {number} session */
async function connectionOf(session) {
  const known = sessions.get(session)
  if (known) return known
  const opened = await instance.connect()
  sessions.set(session, opened)
  return opened
}

/**
 * @param {import('./duckdb.ts').DuckQuestion} question
 * @returns {Promise<Record<string, unknown>[] | undefined>}
 */
async function answer({ session, kind, text, values }) {
  if (kind === 'close') {
    streams.delete(session)
    sessions.get(session)?.closeSync()
    sessions.delete(session)
    return undefined
  }
  if (kind === 'next') {
    const { value, done } = (await streams.get(session)?.next()) ?? { value: undefined, done: true }
    if (done) streams.delete(session)
    return done ? undefined : value
  }
  const connection = await connectionOf(session)
  if (kind === 'run') return (await connection.runAndReadAll(text, values)).getRowObjectsJson()
  const result = await connection.stream(text, values)
  streams.set(session, result.yieldRowObjectJson()[Symbol.asyncIterator]())
  return undefined
}

/** @type {(() => void)[]} */
const waiting = []
let free = workerData.atOnce

/** @param {import('./duckdb.ts').DuckQuestion} question */
async function answerInTurn(question) {
  if (free > 0) free--
  else await new Promise((resolve) => waiting.push(() => resolve(undefined)))
  try {
    return { id: question.id, rows: await answer(question) }
  } catch (error) {
    return { id: question.id, error: /** @type {Error} */ (error).message }
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}

parentPort?.on('message', (/** @type {import('./duckdb.ts').DuckQuestion} */ question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  void answerInTurn(question).then((answered) => parentPort?.postMessage(answered))
})
