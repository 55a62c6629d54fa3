import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { randomUUID } from 'node:crypto'
import { auth, type Role } from '@roadshow/contract'
import { createOnCluster, dropOnCluster } from '@roadshow/test-kit/citus'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { addPast, demoLogins, loadDemo } from '../../src/demo/index.ts'
import { distribute } from '../../src/live/cluster/index.ts'
import { findApproaches } from '../../src/live/telemetry/find-approaches.ts'
import { findOrCreateKey } from '../../src/outreach/push/keys.ts'
import { makeBackup } from '../../src/platform/backup/make.ts'
import { restoreBackup } from '../../src/platform/backup/restore.ts'
import { connect } from '../../src/platform/db/connection.ts'
import { type GetCall, findSubjects, getCalls } from './test-requests.ts'

const cluster = inject('cluster')

test.skipIf(cluster)('tests on a Citus cluster are left out: no PostgreSQL of this machine has Citus', () => {})

describe.runIf(cluster)('the demo on one PostgreSQL and on a Citus cluster', async () => {
  if (!cluster) return
  const { nodes } = cluster
  const one = await openWorld({}, { isOnOneServer: true })
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-citus-'))
  let ask: (call: GetCall, token: string) => Promise<[string, string]>
  let close = async () => {}
  let calls: GetCall[] = []
  const tokens = new Map<Role, string>()

  beforeAll(async () => {
    await one.db.deleteFrom('session').execute()
    await one.db.deleteFrom('user_account').execute()
    await loadDemo(one.db, one.app.blobs)
    const { signal } = new AbortController()
    await addPast({ db: one.db, blobs: one.app.blobs, brandName: 'Roadshow', isShort: true, signal })
    while (await findApproaches(one.db, true)) continue
    for (const role of ['admin', 'sales', 'driver', 'client'] as const) {
      const login = demoLogins.find(({ email }) => email.startsWith(role))
      const { email = '', password = '' } = login ?? {}
      const body = { email, password, clientType: 'web' } as const
      tokens.set(role, (await one.call(auth.authenticate, { body }, { token: '' })).body.data.token)
    }
    await one.db.updateTable('session').set({ seen_at: new Date() }).execute()

    // The first call that needs the keys would make them.
    await findOrCreateKey(one.db)
    const to = path.join(folder, 'backup')
    await makeBackup({ url: one.url, blobFolder: one.folder, to, say: () => {} })
    const url = await createOnCluster(nodes, name)
    await restoreBackup({ from: to, openDatabase: async () => url, blobFolder: undefined, say: () => {} })
    await distribute({ url, workers: [], shards: 4, say: () => {} })
    const { db, close: disconnect } = connect(url)
    const env = {
      brandName: 'Roadshow',
      publicUrl: 'http://localhost:3000',
      logLevel: 'silent',
      trustProxy: 0,
      checkReplies: true,
    }
    const many = await buildApp({ db, blobs: one.app.blobs, env, mailer: { send: async () => {} } })
    close = async () => {
      await many.close()
      await disconnect()
    }
    // Files are read last: the audit log tells of them.
    calls = getCalls(await findSubjects(one.db)).toSorted(
      (a, b) => Number('format' in a.query) - Number('format' in b.query),
    )
    ask = async ({ url, query }, token) => {
      const headers = { authorization: `Bearer ${token}` }
      const answers = [many, one.app].map(async (app) => answerOf(await app.inject({ url, query, headers })))
      return (await Promise.all(answers)) as [string, string]
    }
  }, 1_200_000)

  afterAll(async () => {
    await close()
    await dropOnCluster(nodes, name)
    await rm(folder, { recursive: true, force: true })
  })

  test.each(['admin', 'sales', 'driver', 'client'] as const)(
    'every GET answers a %s alike',
    async (role) => {
      const differing: Record<string, [string, string]> = {}
      const statuses = new Map<string, number>()
      for (const call of calls) {
        const [there, here] = await ask(call, tokens.get(role) ?? '')
        const status = there.slice(0, 3)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (there !== here || status.startsWith('5')) differing[call.name] = fromDifference(there, here)
      }
      expect(differing).toEqual({})
      expect(statuses.get('200')).toBeGreaterThan(role === 'driver' ? 20 : 40)
    },
    1_200_000,
  )
})

/** Two answers where they begin to differ. */
function fromDifference(there: string, here: string): [string, string] {
  let at = 0
  while (at < there.length && there[at] === here[at]) at++
  const [from, to] = [Math.max(0, at - 300), at + 300]
  return [there.slice(from, to), here.slice(from, to)]
}

/** What an answer says, without what reading itself changes: signatures, when a session was last used, today's preview. */
function answerOf({ statusCode, body }: { statusCode: number; body: string }): string {
  const text = body
    .replaceAll(/\?[^"\s]*(?:signature|sig|expires)=[^"\s]*/g, '')
    .replaceAll(/(created|exported) [^;"\n]*/gi, '$1')
    .replaceAll(/"version":0,"publishedAt":"[^"]*"/g, '"version":0')
    .replaceAll(/"(lastSeen|lastUsedAt|seenAt|lastSeenAt|expiresAt|asOf|serverTime)":"[^"]*"/g, '"$1"')
  return `${statusCode} ${text}`
}
