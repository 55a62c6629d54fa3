import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Endpoint, endpoints, type Role } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test, vi } from 'vitest'
import { apiModules } from '../../src/app.ts'
import { openSession } from '../../src/accounts/sign-in/index.ts'
import { DALLAS, fleetOf, minutesAgo } from '../../src/live/players/test-fleet.ts'
import { createPartitionsJob } from '../../src/live/telemetry/partitions.ts'
import { runJob } from '../../src/platform/jobs/runner.ts'
import { openOwners } from '../fuzz/test-owners.ts'
import { requestsOf } from '../fuzz/test-requests.ts'
import { type Dice, valuesOf } from '../fuzz/test-values.ts'
import { endpointName, neededQueries, sampleBodies } from '../samples.ts'
import { documentsOf } from './test-documents.ts'
import { Recorder } from './test-recording.ts'

const folder = fileURLToPath(new URL('../../../docs/queries/', import.meta.url))
const INDEX = 'README.md'
// oxlint-disable-next-line node/no-process-env
const isWriting = process.env['WRITE_QUERIES'] === '1'

/** Decides alike each time: optional fields are all there or all left out. */
const fixedDice = (hasOptionalFields: boolean): Dice => ({
  next: () => 0,
  below: (count) => Math.min(1, count - 1),
  chance: (likelihood) => (hasOptionalFields ? likelihood >= 0.4 : likelihood > 0.5),
  pick: (from) => from[0] as never,
})

/** Outsiders send all optional fields only: their short statements are parts of the long ones. Old calls send none. */
const requests: [role: Role, hasOptionalFields: boolean][] = [
  ['admin', false],
  ['admin', true],
  ['driver', true],
  ['client', true],
]

test.skipIf(isWriting)('docs/queries covers every call: npm run db:queries writes it', async () => {
  const index = await readFile(path.join(folder, INDEX), 'utf8')
  const calls = [...index.matchAll(/^\| `((?:GET|POST|PUT|DELETE) [^`]+)`/gm)].map(([, call]) => call)
  expect(new Set(calls)).toEqual(new Set(endpoints.map(endpointName)))
})

describe.runIf(isWriting)('npm run db:queries', async () => {
  if (!isWriting) return
  const moduleOf = new Map<Endpoint, string>()
  for (const module of apiModules) {
    const { routes } = module
    if (!routes) continue
    vi.spyOn(module, 'routes').mockImplementation(async (app, context) => {
      const before = app.kernel.served.length
      await routes(app, context)
      for (const endpoint of app.kernel.served.slice(before)) moduleOf.set(endpoint, module.name)
    })
  }
  const world = await openWorld()
  /** Nothing runs here: its statistics are those of an empty database in every run. */
  const planning = await openWorld()
  const { app, db } = world
  const resources = { blobs: app.blobs, env: { brandName: 'Roadshow', publicUrl: 'http://localhost' }, log: () => {} }
  const inJob = { signal: new AbortController().signal }
  const recorder = new Recorder()
  const statuses = new Map<string, Set<number>>()

  async function record(cause: string, module: string, work: () => Promise<unknown>): Promise<void> {
    recorder.cause = cause
    recorder.module = module
    await work()
    // Work that a reply does not wait for.
    await sleep(5)
    recorder.cause = ''
  }

  test('makes every call, runs every job, and writes the statements', { timeout: 600_000 }, async () => {
    for (const each of [db, planning.db]) await runJob(createPartitionsJob, { ...resources, db: each }, inJob)
    const samples = await sampleBodies(world)
    const needed = await neededQueries(world)
    const owners = await openOwners(world)
    const fleet = fleetOf(world)
    const running = await fleet.addRunning()
    await fleet.addPosition(running.truckUid, minutesAgo(10), DALLAS)
    const url = await fleet.openNode()
    recorder.start()

    await record('player socket', 'live/players', async () => {
      const player = await fleet.come(url, running.device)
      await player.emitWithAck('player-plays', [fleet.aPlay(running.art)])
      await player.emitWithAck('get-player-data')
      // Contact with a player is written each second, and so is its end.
      const files = () => [...recorder.statements.values()].map(({ owner }) => owner)
      await vi.waitFor(() => expect(files()).toContain('live/telemetry/player-contact.ts'), { timeout: 60_000 })
      player.disconnect()
      await sleep(1500)
    })
    const order = ['GET', 'POST', 'PUT', 'DELETE']
    const sorted = endpoints.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    for (const endpoint of sorted) {
      const pools = await owners.pools()
      const isLegacy = moduleOf.get(endpoint) === 'legacy'
      for (const [role, hasOptionalFields] of isLegacy ? requests.slice(0, 1) : requests) {
        const dice = fixedDice(hasOptionalFields)
        const request = requestsOf({ dice, values: valuesOf(dice, () => pools), samples, needed })
        const token = await openSession(db, owners.people[role].uid, { address: '', userAgent: '' })
        const headers = { authorization: `Bearer ${token}` }
        await record(endpointName(endpoint), moduleOf.get(endpoint) ?? '', async () => {
          const sent = request(endpoint, 'valid')
          const { statusCode } = await app.inject({ ...sent, headers: { ...sent.headers, ...headers } })
          statuses.set(endpointName(endpoint), (statuses.get(endpointName(endpoint)) ?? new Set()).add(statusCode))
        })
      }
    }
    for (const job of apiModules.flatMap(({ jobs = [] }) => jobs))
      await record(`job ${job.name}`, '', () => runJob(job, { ...resources, db }, inJob).catch(() => {}))
    recorder.stop()

    const documents = await documentsOf(planning.db, recorder.statements)
    documents[INDEX] = indexOf(documents)
    await mkdir(folder, { recursive: true })
    for (const file of await readdir(folder)) await rm(path.join(folder, file))
    for (const [file, content] of Object.entries(documents)) await writeFile(path.join(folder, file), content)
    expect(statuses.size).toBe(endpoints.length)
  })

  function indexOf(documents: Record<string, string>): string {
    const files = Object.keys(documents)
      .toSorted()
      .map((file) => `- [${file}](${file})`)
    const calls = endpoints
      .map((endpoint) => endpointName(endpoint))
      .toSorted()
      .map((name) => `| \`${name}\` | ${[...(statuses.get(name) ?? [])].toSorted((a, b) => a - b).join(', ')} |`)
    return `# Statements and their plans

Written by \`npm run db:queries\` for review: the statements that the product sends while each call of the contract is made
as admin with and without its optional fields and as driver and client with them, while a player reports a play, and while each job runs
once. A statement behind a condition that these do not meet is missing.

Plans are PostgreSQL's for any values, on a database with no rows. Sequential scans are off, so "Disabled: true" marks a scan
that no index can serve. The partitions of a table are planned alike and stand here once, as \`play_<day>\`.

${files.join('\n')}

## Calls and the statuses they were answered with

| Call | Statuses |
| --- | --- |
${calls.join('\n')}
`
  }
})
