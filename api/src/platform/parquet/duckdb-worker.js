// This file runs in a thread of its own: converting results takes long, and the server goes on meanwhile. Statements
// themselves run in Node's shared pool of threads, so only a few run at once: files and names of hosts need the pool too.
// It is JavaScript, so that Node starts it from the sources (tests) as from `dist`; its types are checked.
import { parentPort, workerData } from 'node:worker_threads'
import { DuckDBInstance } from '@duckdb/node-api'

const instance = await DuckDBInstance.create(':memory:', workerData.options)
const settings = await instance.connect()

/** @type {Map<number, import('@duckdb/node-api').DuckDBConnection>} */
const sessions = new Map()
/** @typedef {{ text: string, values: import('./duckdb.ts').DuckQuestion['values'] }} Statement */
/** @type {Map<number, Statement & { rows: AsyncIterator<unknown[][]>, isRead: boolean }>} */
const streams = new Map()
/** Sessions with a statement that needed more memory than most do. @type {Set<number>} */
const needy = new Set()
let hasMost = false

/** @param {number} session */
async function connectionOf(session) {
  const known = sessions.get(session)
  if (known) return known
  const opened = await instance.connect()
  sessions.set(session, opened)
  return opened
}

async function giveMost() {
  await settings.run(`set memory_limit = '${workerData.mostMemory}'`)
  hasMost = true
}

/** Takes the memory back that no session needs any more. While another statement still holds some, the next end tries it again. */
async function giveUsual() {
  if (!hasMost || needy.size > 0) return
  try {
    await settings.run(`set memory_limit = '${workerData.options.memory_limit}'`)
    hasMost = false
  } catch {
    // It is held.
  }
}

/**
 * Does work that reads, and does it again with more memory if that was what it lacked; its session keeps it until it ends.
 * @template T
 * @param {number} session
 * @param {() => Promise<T>} work
 */
async function withEnoughMemory(session, work) {
  try {
    return await work()
  } catch (error) {
    const lacksMemory = /** @type {Error} */ (error).message.startsWith('Out of Memory Error')
    if (!lacksMemory || needy.has(session)) throw error
    needy.add(session)
    await giveMost()
    return work()
  }
}

/** @param {number} session */
async function close(session) {
  streams.delete(session)
  needy.delete(session)
  sessions.get(session)?.closeSync()
  sessions.delete(session)
  await giveUsual()
}

/** @param {number} session @param {Statement} statement @returns {Promise<string[]>} */
async function open(session, { text, values }) {
  const result = await (await connectionOf(session)).stream(text, values)
  streams.set(session, { text, values, rows: result.yieldRowsJson()[Symbol.asyncIterator](), isRead: false })
  return result.columnNames()
}

/** @param {number} session @returns {Promise<unknown[] | undefined>} */
async function next(session) {
  const stream = streams.get(session)
  const { value, done } = (await stream?.rows.next()) ?? { value: undefined, done: true }
  if (done) streams.delete(session)
  else if (stream) stream.isRead = true
  return done ? undefined : value
}

/** The first rows of a statement come when it is sorted: that is when it may lack memory. @param {number} session */
async function nextOrReopened(session) {
  const stream = streams.get(session)
  if (!stream || stream.isRead) return next(session)
  let isAgain = false
  return withEnoughMemory(session, async () => {
    if (isAgain) await open(session, stream)
    isAgain = true
    return next(session)
  })
}

/**
 * @param {import('./duckdb.ts').DuckQuestion} question
 * @returns {Promise<unknown[] | undefined>} rows: of streams as lists of values, after the names of their columns
 */
async function answer({ session, kind, text, values }) {
  if (kind === 'close') {
    await close(session)
    return undefined
  }
  if (kind === 'next') return nextOrReopened(session)
  if (kind === 'open') return withEnoughMemory(session, () => open(session, { text, values }))
  const connection = await connectionOf(session)
  return withEnoughMemory(session, async () => (await connection.runAndReadAll(text, values)).getRowObjectsJson())
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
