import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { trucks } from '@roadshow/contract'
import { hasProgram } from '@roadshow/test-kit/nodes'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { archivePlays } from '../src/live/plays/archive/job.ts'
import { archiveOf } from '../src/live/plays/archive/test-archive.ts'
import { lastPoll } from '../src/live/telemetry/metrics.ts'
import { connect } from '../src/platform/db/connection.ts'
import { startEmbedded } from '../src/platform/db/embedded/server.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { replicaLagSeconds } from '../src/platform/db/replica.ts'
import { withClient } from '../src/platform/db/with-client.ts'
import { kernelModule } from '../src/platform/kernel-module.ts'
import { runJob } from '../src/platform/jobs/runner.ts'
import { enqueue, outboxModule } from '../src/platform/outbox/index.ts'
import { parquetOf } from '../src/platform/parquet/index.ts'
import { makeCertificate } from './test-certificate.ts'
import { checkFiring, readRecording, valuesOf } from './test-recording.ts'

const isInstalled = hasProgram('promtool')
// oxlint-disable-next-line no-console
if (!isInstalled) console.warn('promtool is not installed (package "prometheus"): its tests were left out.')

const root = fileURLToPath(new URL('../../', import.meta.url))
const inDeploy = (name: string) => path.join(root, 'deploy', name)
const rules = await readFile(inDeploy('alerts.yml'), 'utf8')
const alerts = [...rules.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name ?? '')

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-alerts-'))
afterAll(() => rm(folder, { recursive: true }))
const world = await openWorld({ dataDir: folder })
const { app, db, call } = world

const run = promisify(execFile)

/** Runs a job of the platform once, as a node does. */
async function runKernelJob(name: string, database = db, publicUrl = 'http://localhost'): Promise<void> {
  const job = kernelModule.jobs?.find((each) => each.name === name)
  if (!job) throw new Error('The job is gone.')
  const resources = { db: database, blobs: app.blobs, env: { brandName: 'R', publicUrl }, log: () => {} }
  await runJob(job, resources, { signal: new AbortController().signal })
}

const scrape = async () => (await app.inject('/metrics')).body

interface Sample {
  series: string
  value: number
  isCounter: boolean
}

/** The samples of a scrape, under the labels that Prometheus gives them. */
function samplesOf(text: string): Sample[] {
  const types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, type]) => [name ?? '', type]))
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].flatMap(([, name = '', labels = '', value = '']) => {
    if (!Number.isFinite(Number(value))) return []
    const type = types.get(name) ?? types.get(name.replace(/_(bucket|count|sum)$/, ''))
    const own = labels.replace(/(^|,)job=/, '$1exported_job=')
    const series = `${name}{job="roadshow",instance="node1"${own && `,${own}`}}`
    return [{ series, value: Number(value), isCounter: type === 'counter' || type === 'histogram' }]
  })
}

const MINUTES = 60

const metricsIn = (text: string) => new Set<string>(text.match(/\b(roadshow|nodejs|process)_\w+/g))
const ruled = metricsIn(rules)
/** Whether a rule reads a series: promtool takes seconds for all of them. */
const isNamed = (series: string) => ruled.has(series.slice(0, series.indexOf('{')))

/** Whether an alert fires when counters grow from one scrape to the other, and gauges stay as the second one shows them. */
async function fires(alert: string, before: string, after: string, up = 1): Promise<boolean> {
  const earlier = new Map(samplesOf(before).map(({ series, value }) => [series, value]))
  const input = samplesOf(after)
    .filter(({ series }) => isNamed(series))
    .map((sample) => ({ ...sample, from: sample.isCounter ? (earlier.get(sample.series) ?? 0) : sample.value }))
    // Test files share a process: what others counted stands still, and is more than promtool reads at once.
    .filter(({ isCounter, from, value }) => !isCounter || value !== from)
    .map(({ series, from, value }) => ({ series, values: `${from}+${(value - from) / MINUTES}x${MINUTES}` }))
  const file = path.join(folder, 'case.yml')
  const tested = {
    rule_files: [inDeploy('alerts.yml')],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: [...input, { series: 'up{job="roadshow",instance="node1"}', values: `${up}x${MINUTES}` }],
        promql_expr_test: [
          {
            expr: `count(ALERTS{alertname="${alert}",alertstate="firing"})`,
            eval_time: `${MINUTES}m`,
            exp_samples: [{ value: 1 }],
          },
        ],
      },
    ],
  }
  await writeFile(file, JSON.stringify(tested))
  return run('promtool', ['test', 'rules', file]).then(
    () => true,
    (error: { stdout: string; stderr: string }) => {
      // Anything else than the expected sample missing is a mistake of the test.
      if (!`${error.stdout}${error.stderr}`.includes('got: nil')) throw error
      return false
    },
  )
}

describe.skipIf(!isInstalled)('promtool', () => {
  test('accepts the rules, and each fires on its series and not when nothing is wrong', async () => {
    await run('promtool', ['check', 'rules', inDeploy('alerts.yml')])
    await run('promtool', ['test', 'rules', inDeploy('alerts.test.yml')])
    const cases = await readFile(inDeploy('alerts.test.yml'), 'utf8')
    expect(alerts.length).toBeGreaterThan(20)
    expect(alerts.filter((name) => !cases.includes(`count(ALERTS{alertname="${name}",alertstate="firing"})`))).toEqual(
      [],
    )
  })

  test('accepts our metrics', async () => {
    const text = (await scrape())
      .split('\n')
      .filter((line) => /^(# \w+ )?roadshow_/.test(line))
      .join('\n')
    const checking = run('promtool', ['check', 'metrics'])
    checking.child.stdin?.end(`${text}\n`)
    expect(await checking).toEqual({ stdout: '', stderr: '' })
  })
})

test('each alert has a runbook, and what rules and dashboard name is measured', async () => {
  const docs = await readFile(path.join(root, 'docs/monitoring.md'), 'utf8')
  for (const name of alerts) {
    expect(docs).toMatch(new RegExp(`^### ${name}\\n\\n\\S`, 'm'))
    expect(rules).toContain(`runbook: docs/monitoring.md#${name.toLowerCase()}\n`)
  }
  const text = await scrape()
  const dashboard = await readFile(inDeploy('dashboard.json'), 'utf8')
  const named = metricsIn(`${rules}${dashboard}`)
  const measured = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  // Registered with the first service that is watched.
  measured.add('roadshow_external_service_up')
  const base = (name: string) => name.replace(/_(bucket|count)$/, '')
  expect([...named].filter((name) => !measured.has(name) && !measured.has(base(name)))).toEqual([])
})

test('the certificate of PUBLIC_URL is measured, also one of an unknown authority', async () => {
  const { certificate, key } = await makeCertificate(folder)
  const server = createServer({ cert: await readFile(certificate), key: await readFile(key) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const host = `localhost:${(server.address() as AddressInfo).port}`
  await runKernelJob('check-certificate', db, `https://${host}`)
  const [, expires] = new RegExp(`_expires_timestamp_seconds\\{host="${host}"\\} (\\S+)`).exec(await scrape()) ?? []
  const days = (Number(expires) - Date.now() / 1000) / 86_400
  expect([days > 1.9, days < 2.1]).toEqual([true, true])
  server.close()
  await once(server, 'close')
  // What cannot be reached shows nothing, rather than what was true once.
  await runKernelJob('check-certificate', db, `https://${host}`)
  expect(await scrape()).not.toContain('_expires_timestamp_seconds{')
})

const recorded = await readRecording('outage-at-idle.json')

describe.skipIf(!isInstalled)('ten minutes without the database at idle, as recorded', () => {
  const { stoppedAfter, startedAfter, everySeconds } = recorded
  const alone = ['RoadshowNotReady']

  test('are one critical alert within a minute, which ends by itself, and nothing else', async () => {
    expect(startedAfter - stoppedAfter).toBe(600)
    const during = [stoppedAfter + 60, stoppedAfter + 300, startedAfter].map((at) => [at, alone] as const)
    const otherwise = [stoppedAfter, startedAfter + 60, startedAfter + 300, startedAfter + 1200].map(
      (at) => [at, []] as const,
    )
    await checkFiring(recorded, folder, Object.fromEntries([...during, ...otherwise]))
  })

  test('would be noticed as missing by this test', async () => {
    const silent = { ...recorded, series: { ...recorded.series, 'roadshow_ready{}': `1x${recorded.scrapes - 1}` } }
    await expect(checkFiring(silent, folder, { [stoppedAfter + 60]: alone })).rejects.toThrow('got: nil')
  })

  test('are some kilobytes of log, most of them at both ends, and the node is ready again within seconds', () => {
    const bytes = valuesOf(recorded.logBytes)
    const ready = valuesOf(recorded.series['roadshow_ready{}'] ?? '')
    expect([bytes.length, ready.length]).toEqual([recorded.scrapes, recorded.scrapes])
    const at = (values: readonly number[], seconds: number) => values[Math.ceil(seconds / everySeconds)] ?? NaN
    expect(at(bytes, startedAfter + 300) - at(bytes, stoppedAfter - everySeconds)).toBeLessThan(20_000)
    expect(at(bytes, startedAfter - everySeconds) - at(bytes, stoppedAfter + 120)).toBeLessThan(1000)
    expect([at(ready, stoppedAfter), at(ready, startedAfter - everySeconds), at(ready, startedAfter + 15)]).toEqual([
      0, 0, 1,
    ])
  })
})

describe.skipIf(!isInstalled)('an alert fires for its reason', () => {
  test('node down', async () => {
    const text = await scrape()
    expect(await fires('RoadshowNodeDown', text, text)).toBe(false)
    expect(await fires('RoadshowNodeDown', '', '', 0)).toBe(true)
  })

  test('database slow: calls wait for a lock', async () => {
    const before = await scrape()
    let answers: Promise<unknown> | undefined
    await db.transaction().execute(async (holder) => {
      await sql`lock table truck in access exclusive mode`.execute(holder)
      answers = Promise.all([1, 2, 3].map(() => call(trucks.list, { query: {} })))
      await vi.waitFor(
        async () => {
          const { rows } = await sql`select from pg_locks where relation = 'truck'::regclass and not granted`.execute(
            holder,
          )
          expect(rows.length).toBeGreaterThanOrEqual(3)
        },
        { timeout: 20_000 },
      )
      await sql`select pg_sleep(0.7)`.execute(holder)
    })
    await answers
    expect(await fires('RoadshowDatabaseSlow', before, await scrape())).toBe(true)
  })

  test('outbox old: a mail that can’t be sent', async () => {
    const before = await scrape()
    const mail = { kind: 'test', channel: 'mail', recipient: 'a@example.com', subject: 'Test', payload: {} } as const
    const [uid = ''] = await enqueue(db, [mail])
    const count = outboxModule.jobs?.find(({ name }) => name === 'count-messages')
    if (!count) throw new Error('The job is gone.')
    const counted = async () => {
      const resources = { db, blobs: app.blobs, env: { brandName: 'R', publicUrl: 'http://localhost' }, log: () => {} }
      await runJob(count, resources, { signal: new AbortController().signal })
      return scrape()
    }
    expect(await fires('RoadshowMailOld', before, await counted())).toBe(false)
    // It was tried again and again for a quarter of an hour, and will be once more.
    await sql`update message set created_at = now() - interval '15 minutes', attempts = 9,
                     next_at = now() + interval '5 minutes' where uid = ${uid}`.execute(db)
    expect(await fires('RoadshowMailOld', before, await counted())).toBe(true)
  })

  test('disk full', async () => {
    const text = await scrape()
    const spied = vi.spyOn(fs, 'statfs').mockResolvedValue({ bsize: 4096, blocks: 1000, bavail: 40 } as never)
    const full = await scrape()
    spied.mockRestore()
    expect(full).toContain('roadshow_disk_free_bytes{folder="data"} 163840\n')
    expect(await fires('RoadshowDiskFull', text, full)).toBe(true)
  })

  test('archive failed: the storage takes no file', async () => {
    const { addTruck, playsOf, store, grade } = archiveOf(world)
    const truck = await addTruck([80])
    await store(truck, playsOf(truck, 80))
    await grade()
    const before = await scrape()
    expect(await fires('RoadshowArchiveFailed', before, before)).toBe(false)
    const away = async () => Promise.reject(new Error('The storage is away.'))
    const blobs = { ...app.blobs, write: away, writeFile: away }
    const errors: unknown[] = []
    const parquet = parquetOf({ blobs })
    await archivePlays({ db, parquet, afterDays: 45, now: Date.now(), onError: (error) => errors.push(error) })
    await parquet.close()
    expect(errors).not.toEqual([])
    expect(await fires('RoadshowArchiveFailed', before, await scrape())).toBe(true)
  })

  test('replica behind; api/test/replica.test.ts shows that a paused replica counts up', async () => {
    const before = await scrape()
    replicaLagSeconds.set(61)
    const behind = await scrape()
    replicaLagSeconds.set(0)
    expect(await fires('RoadshowReplicaBehind', before, behind)).toBe(true)
    expect(await fires('RoadshowReplicaBehind', before, await scrape())).toBe(false)
  })

  test('archiver failing: PostgreSQL cannot archive its log', async () => {
    const dir = path.join(folder, 'archiving')
    const first = await startEmbedded({ dir, fsync: false })
    await withClient(first.superuserUrl, async (client) => {
      await client.query(`alter system set archive_mode = 'on'`)
      await client.query(`alter system set archive_command = 'false'`)
    })
    await first.stop()
    const server = await startEmbedded({ dir, fsync: false })
    await migrate(server.url)
    const own = connect(server.url)
    const before = await scrape()
    await withClient(server.superuserUrl, (client) =>
      client.query(`select pg_logical_emit_message(true, 'a', 'b'), pg_switch_wal()`),
    )
    await vi.waitFor(
      async () => {
        await runKernelJob('measure-database', own.db)
        expect(await scrape()).toContain('roadshow_database_archive_failing 1\n')
      },
      { timeout: 20_000, interval: 500 },
    )
    const failing = await scrape()
    await own.close()
    await server.stop()
    expect(await fires('RoadshowArchiverFailing', before, before)).toBe(false)
    expect(await fires('RoadshowArchiverFailing', before, failing)).toBe(true)
  })

  test('feed silent: no read for six minutes', async () => {
    lastPoll.at('LogRecord', Date.now())
    const before = await scrape()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
    const later = await scrape()
    vi.useRealTimers()
    lastPoll.forget()
    expect(await fires('RoadshowFeedSilent', before, before)).toBe(false)
    expect(await fires('RoadshowFeedSilent', before, later)).toBe(true)
  })
})
