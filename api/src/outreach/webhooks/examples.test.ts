import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { hasProgram } from '@roadshow/test-kit/nodes'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { freePort } from '../../platform/db/embedded/server.ts'
import { outboundRequests } from '../../platform/http/outbound.ts'
import { newSecret, signedHeaders } from './signing.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-examples-'))
const text = await readFile(new URL('../../../../docs/partners.md', import.meta.url), 'utf8')
const examples = Object.fromEntries(
  [...text.matchAll(/^```(?<language>sh|python|js)\n(?<code>\S+ webhook example: .+\n[\s\S]+?)^```$/gm)].map(
    ({ groups }) => [groups?.['language'], groups?.['code'] ?? ''],
  ),
)

const started: ChildProcess[] = []
afterAll(async () => {
  for (const child of started) {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  await rm(folder, { recursive: true })
})

const secret = newSecret()
const outbound = outboundRequests({ privateNetworks: ['127.0.0.1'] })

/** Starts a receiver of the docs; answers its address and what it printed. */
async function start(program: string, file: string, code: string) {
  const script = path.join(folder, file)
  await writeFile(script, code)
  const port = await freePort()
  const child = spawn(program, [script], {
    // oxlint-disable-next-line node/no-process-env
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  started.push(child)
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += String(chunk)))
  const url = `http://127.0.0.1:${port}/`
  await vi.waitFor(() => outbound.send({ url, body: '{}' }).catch(isListening), { timeout: 60_000, interval: 200 })
  return { url, printed: () => printed }
}

/** A refused connection means that it has not started yet. */
function isListening(error: Error): void {
  if (error.message === 'The connection was refused.') throw error
}

const body = JSON.stringify({ type: 'pop.published', timestamp: '2026-11-16T12:00:00Z', data: { name: 'Zoë’s tour' } })
const messageUid = '01900000-0000-7000-8000-000000000001'

async function statusOf(url: string, { sent = body, at = new Date() } = {}) {
  const headers = signedHeaders([newSecret(), secret], { messageUid, at, body })
  return (await outbound.send({ url, body: sent, headers })).status
}

describe.each([
  ['python3', 'receiver.py', 'python'],
  ['node', 'receiver.mjs', 'js'],
])('the receiver of docs/partners.md for %s (left out without it)', (program, file, language) => {
  test.runIf(program === 'node' || hasProgram(program))(
    'takes a message once, and refuses a changed byte and an old time',
    async () => {
      const { url, printed } = await start(
        program === 'node' ? process.execPath : program,
        file,
        examples[language] ?? '',
      )
      expect(await statusOf(url)).toBe(204)
      expect(await statusOf(url)).toBe(204)
      expect(await statusOf(url, { sent: body.replace('tour', 'tous') })).toBe(401)
      expect(await statusOf(url, { at: new Date(Date.now() - 301_000) })).toBe(401)
      await vi.waitFor(() => expect(printed()).toContain('pop.published'))
      expect(printed().trim().split('\n')).toHaveLength(1)

      const isComplete = ['bash', 'curl', 'openssl'].every(hasProgram)
      if (!isComplete) return
      // oxlint-disable-next-line node/no-process-env
      const env = { ...process.env, WEBHOOK_SECRET: secret, RECEIVER_URL: url }
      const { status, stderr } = spawnSync('bash', ['-c', `set -euo pipefail\n${examples['sh']}`], {
        env,
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, ''])
      await vi.waitFor(() => expect(printed()).toContain('webhook.test'))
    },
    120_000,
  )
})
