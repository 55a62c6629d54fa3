import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type HostileFile, hostileFiles } from '@roadshow/test-kit/hostile/files'
import { type Answer, type Recipient, sendHostileFile } from '@roadshow/test-kit/hostile/send'
import { newNode } from '@roadshow/test-kit/nodes'
import { childrenOf, residentBytes } from '@roadshow/test-kit/processes'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const MB = 1024 * 1024
const MEMORY_MB = 256
// Between two looks of the node at its decoder, and what it may take beyond its limit before it is ended.
const SPARE_MB = 96

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-files-'))
const node = await newNode({
  DATABASE_URL: world.url,
  DATA_DIR: folder,
  RATE_LIMIT: '0',
  FILE_MEMORY_MB: String(MEMORY_MB),
  FILES_AT_ONCE: '2',
})

async function addProgram(): Promise<Pick<Recipient, 'programUid' | 'marketUid'>> {
  const { db } = world
  const added = async (row: { executeTakeFirstOrThrow: () => Promise<{ uid: string }> }) =>
    (await row.executeTakeFirstOrThrow()).uid
  const client_uid = await added(db.insertInto('client').values({ name: 'Acme' }).returning('uid'))
  const market = { name: 'Houston', state: 'TX', zone: 'America/Chicago' }
  const marketUid = await added(db.insertInto('market').values(market).returning('uid'))
  const days = { starts_on: '2026-01-01', ends_on: '2026-12-31' }
  const program = { client_uid, name: 'Summer', status: 'active', pop_url: 'summer', ...days } as const
  const programUid = await added(db.insertInto('client_program').values(program).returning('uid'))
  await db.insertInto('program_market').values({ program_uid: programUid, market_uid: marketUid }).execute()
  return { programUid, marketUid }
}

let recipients: Recipient[]
let files: HostileFile[]

beforeAll(async () => {
  await node.start()
  const program = await addProgram()
  const { admin, sales } = world.people
  recipients = [admin, sales].map(({ token }) => ({ url: node.url, token, ...program }))
  files = await hostileFiles()
}, 120_000)

afterAll(async () => {
  await node.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

const decoders = () => childrenOf(node.pid ?? NaN)

/** Watches the node while files are sent: how many decoders there are, what they hold, and whether the node is ready. */
async function watchDuring(work: () => Promise<unknown>) {
  const seen = { decoders: 0, mostMb: 0, unready: 0 }
  const done = new AbortController()
  const working = work().finally(() => done.abort())
  while (!done.signal.aborted) {
    const pids = await decoders()
    const held = await Promise.all(pids.map(residentBytes))
    seen.decoders = Math.max(seen.decoders, pids.length)
    seen.mostMb = Math.max(seen.mostMb, ...held.map((bytes) => bytes / MB))
    if (!(await fetch(`${node.url}/readyz`)).ok) seen.unready++
    await sleep(100)
  }
  await working
  return seen
}

describe('files as attackers send them, by two people at once', () => {
  const answers = new Map<HostileFile, Answer>()

  test('are stored or refused, while the node stays ready and its decoders within their limits', async () => {
    const waiting = [...files]
    const sendSome = async (recipient: Recipient) => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        answers.set(file, await sendHostileFile(recipient, file))
      }
    }
    const seen = await watchDuring(() => Promise.all(recipients.map(sendSome)))
    expect(answers.size).toBe(files.length)
    expect(files.length).toBeGreaterThan(200)
    expect(seen).toMatchObject({ decoders: 2, unready: 0 })
    expect(seen.mostMb).toBeLessThan(MEMORY_MB + SPARE_MB)
    // Neither errors nor a node that ends.
    expect(node.log).not.toMatch(/"level":[56]0/)
  })

  test('have the outcome that each must have, and a sentence where they are refused', () => {
    const wrong = files.flatMap((file) => {
      const { status = 0, outcome, sentence = '' } = answers.get(file) ?? {}
      const isRight = file.outcome === undefined || file.outcome === outcome
      const isSaid = outcome === 'stored' || /^[A-Z\d].*[.]$/.test(sentence)
      return isRight && isSaid && status < 500 ? [] : [`${file.what} (${file.way}): ${status} ${outcome} ${sentence}`]
    })
    expect(wrong).toEqual([])
  })

  test('leave nothing behind where they are refused', async () => {
    const unverified = world.db.selectFrom('stored_file').select('uid').where('stored_at', 'is', null)
    expect(await unverified.execute()).toEqual([])
  })
})

test('a node that is killed leaves no decoder behind', async () => {
  const [recipient] = recipients
  const last = files.findLast(({ outcome, way }) => outcome === 'stored' && way === 'artwork')
  if (!recipient || !last) throw new Error('There is nothing to send.')
  await sendHostileFile(recipient, last)
  const pids = await decoders()
  expect(pids).not.toEqual([])
  await node.stop('SIGKILL')
  await vi.waitFor(async () => expect(await Promise.all(pids.map(residentBytes))).toEqual(pids.map(() => 0)), {
    timeout: 10_000,
  })
})
