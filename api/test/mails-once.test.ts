import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { newNode } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../src/platform/db/embedded/server.ts'
import { composeMail } from '../src/platform/mail/compose.ts'
import { MAILS_AT_ONCE } from '../src/platform/mail/mailer.ts'
import { type ReceivedMail, startMailServer } from '../src/platform/mail/test-mail-server.ts'
import { enqueue } from '../src/platform/outbox/index.ts'
import { setSealingKey } from '../src/platform/runtime/secret-box.ts'

const MAILS = 300
const KILLED_AFTER = 60
const AWAY = "The mail server can't be reached."

const { db, url } = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-mails-'))
const key = randomBytes(32)
setSealingKey(key)
const port = await freePort()

const openNode = (name: string) =>
  newNode({
    DATABASE_URL: url,
    DATA_DIR: path.join(folder, name),
    SECRET_KEY: key.toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    // Tells which node sent a mail.
    MAIL_FROM: `${name}@roadshow.example`,
    SIMULATOR: 'off',
  })
const [first, second] = [await openNode('first'), await openNode('second')]

afterAll(async () => {
  for (const node of [first, second]) await node.stop('SIGKILL')
  await rm(folder, { recursive: true })
})

const within = { timeout: 60_000, interval: 100 }
const mailTo = (email: string) =>
  composeMail({ email, name: 'Ann', language: 'en' }, 'Roadshow', {
    kind: 'test',
    subject: 'Once',
    paragraphs: ['Hello.'],
  })

async function addMails(): Promise<string[]> {
  const addresses = Array.from({ length: MAILS }, (_, index) => `ann-${index}@example.com`)
  return enqueue(
    db,
    addresses.map((to) => ({
      kind: 'test',
      channel: 'mail',
      recipient: to,
      subject: 'Once',
      payload: mailTo(to),
    })),
  )
}

const uidOf = ({ message }: ReceivedMail) => /^Message-ID: <([\w-]+)@roadshow\.example>/im.exec(message)?.[1] ?? ''

function countByUid(received: readonly ReceivedMail[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const mail of received) counts.set(uidOf(mail), (counts.get(uidOf(mail)) ?? 0) + 1)
  return counts
}

const waiting = () =>
  db.selectFrom('message').select(['uid', 'leased_until']).where('state', '=', 'waiting').orderBy('place').execute()

test('every mail arrives although the mail server was away, two nodes race and one is killed; only what the killed one was sending may arrive twice', async () => {
  await Promise.all([first.start(), second.start()])
  const uids = await addMails()
  await vi.waitFor(async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from message where state = 'waiting' and problem = ${AWAY}`.execute(db)
    expect(rows).toEqual([{ n: MAILS }])
  }, within)

  const isOfFirst = ({ from }: ReceivedMail) => from === 'first@roadshow.example'
  const server = await startMailServer({
    port,
    onReceived: async (received) => {
      // One node alone could be through before the other wakes up.
      await vi.waitFor(() => expect(received.some(isOfFirst)).toBe(true), within)
      if (received.length >= KILLED_AFTER && first.isRunning) first.signal('SIGKILL')
    },
  })
  afterAll(() => server.stop())

  // What is left in the end is what the killed node had taken on.
  const left = await vi.waitFor(async () => {
    const rows = await waiting()
    expect(server.received.length).toBeGreaterThan(KILLED_AFTER)
    expect(rows.filter(({ leased_until: lease }) => lease === null)).toEqual([])
    expect(rows.length).toBeLessThanOrEqual(MAILS_AT_ONCE)
    return rows.map(({ uid }) => uid)
  }, within)
  expect(first.isRunning).toBe(false)

  // Its lease ends, and the other node sends it.
  await sql`update message set leased_until = now() where state = 'waiting'`.execute(db)
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), within)

  const counts = countByUid(server.received)
  expect([...counts.keys()].toSorted()).toEqual(uids.toSorted())
  const twice = [...counts].filter(([, count]) => count > 1)
  expect(twice.filter(([uid, count]) => count > 2 || !left.includes(uid))).toEqual([])
  expect(new Set(server.received.map(({ from }) => from))).toEqual(
    new Set(['first@roadshow.example', 'second@roadshow.example']),
  )
  const states = await db.selectFrom('message').select(['state', 'problem']).distinct().execute()
  expect(states).toEqual([{ state: 'sent', problem: AWAY }])
}, 240_000)
