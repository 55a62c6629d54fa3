import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@roadshow/api/platform/db/connection'
import { enqueue, type NewMessage } from '@roadshow/api/platform/outbox/index'
import { loadOrCreateKey } from '@roadshow/api/platform/runtime/key-file'
import { setSealingKey } from '@roadshow/api/platform/runtime/secret-box'
import { contract } from '@roadshow/contract'
import { createTransport } from 'nodemailer'
import { p99 } from './load.ts'
import { type BenchFigure, shareFigure, times } from './report.ts'
import { apiTarget, type BenchWorld, startNode } from './world.ts'

const MESSAGES = 10_000
const MIN_SHARE = 0.5
const READERS = 4
const QUIET_MS = 8000
const MAX_SLOWER = 2
const CONNECTIONS = 5
const LOOK_MS = 10

const TEXT = 'Truck T-4 has shown no ads since 8:00 PM CST although it is on a shift. '.repeat(10)

const mailOf = (n: number) => ({
  to: `dispatcher-${n}@example.com`,
  subject: `Truck T-4 is dark (${n})`,
  text: TEXT,
  html: `<p>${TEXT}</p>`,
})

/** Mails through the outbox on two nodes, beside a loop of the mail library alone, and what people notice of it. */
export async function* measureMessages(world: BenchWorld): AsyncGenerator<BenchFigure> {
  setSealingKey(await loadOrCreateKey(path.join(world.dataDir, 'secret.key')))
  await startNode(world)
  await throughOutbox(world, MESSAGES / 10)
  const bare = await byLibrary(world)
  const quiet = await listTimes(world, sleep(QUIET_MS))
  const sending = throughOutbox(world, MESSAGES)
  const busy = await listTimes(world, sending)
  const alone = await throughOutbox(world, MESSAGES)
  yield shareFigure(
    `${MESSAGES.toLocaleString('en')} mails through the outbox on two nodes, beside a loop of the mail library`,
    [alone],
    [bare],
    MIN_SHARE,
  )
  const slower = p99(busy) / p99(quiet)
  yield {
    name: 'List of trucks, p99 while mails are sent, beside p99 without',
    ours: `${p99(busy).toFixed(1)} ms`,
    beside: `${p99(quiet).toFixed(1)} ms`,
    ratio: times(slower),
    bar: `≤ ${MAX_SLOWER} ×`,
    met: slower <= MAX_SLOWER,
  }
}

const accepted = async ({ mailSink }: BenchWorld) => Number(await (await fetch(mailSink.url)).text())

/** Waits until the sink has accepted so many more; answers how many a second. */
async function untilAccepted(world: BenchWorld, count: number, work: () => Promise<void>): Promise<number> {
  const before = await accepted(world)
  const began = performance.now()
  await work()
  while ((await accepted(world)) < before + count) await sleep(LOOK_MS)
  return count / ((performance.now() - began) / 1000)
}

async function byLibrary(world: BenchWorld): Promise<number> {
  const transport = createTransport({ url: world.mailSink.smtp, pool: true, maxConnections: CONNECTIONS })
  const rate = await untilAccepted(world, MESSAGES, async () => {
    let next = 0
    const send = async () => {
      while (next < MESSAGES) await transport.sendMail({ from: 'bench@example.com', ...mailOf(next++) })
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, send))
  })
  transport.close()
  return rate
}

async function throughOutbox(world: BenchWorld, count: number): Promise<number> {
  const { db, close } = connect(world.database, { max: 1 })
  const run = randomUUID()
  const messages = Array.from({ length: count }, (_, n): NewMessage => {
    const mail = mailOf(n)
    const key = `bench ${run} ${n}`
    return { kind: 'bench', channel: 'mail', recipient: mail.to, subject: mail.subject, payload: mail, key }
  })
  const rate = await untilAccepted(world, count, () =>
    db.transaction().execute(async (db) => void (await enqueue(db, messages))),
  )
  await close()
  return rate
}

/** The milliseconds of each first page of a list, read one after the other by a few readers until something is done. */
async function listTimes(world: BenchWorld, until: Promise<unknown>): Promise<number[]> {
  const took: number[] = []
  const finished = new AbortController()
  const { url, headers } = apiTarget(world, contract.trucks.list.path)
  const read = async () => {
    while (!finished.signal.aborted) {
      const began = performance.now()
      const answer = await fetch(url, { headers })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
      took.push(performance.now() - began)
    }
  }
  const reading = Promise.all(Array.from({ length: READERS }, read))
  await until
  finished.abort()
  await reading
  return took
}
