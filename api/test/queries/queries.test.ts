import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, endpoints, type Role } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { beforeAll, expect, test, vi } from 'vitest'
import { apiModules, tableLifetimes } from '../../src/app.ts'
import { openSession } from '../../src/accounts/sign-in/index.ts'
import { readSettings } from '../../src/catalog/settings/index.ts'
import { DALLAS, fleetOf, minutesAgo } from '../../src/live/players/test-fleet.ts'
import { createPartitionsJob } from '../../src/live/telemetry/partitions.ts'
import { runJob } from '../../src/platform/jobs/runner.ts'
import { sweepJob } from '../../src/platform/lifetimes/sweep.ts'
import { loadDemo } from '../../src/demo/index.ts'
import { openOwners } from '../fuzz/test-owners.ts'
import { requestsOf } from '../fuzz/test-requests.ts'
import { type Dice, valuesOf } from '../fuzz/test-values.ts'
import { endpointName, neededQueries, sampleBodies } from '../samples.ts'
import { type Applied, claimsOf, problemsOf } from './test-claims.ts'
import { describerOf } from './test-columns.ts'
import { type Claim, claimsOfSources } from './test-row-types.ts'
import { multiplyRows, tablesReadWhole, tablesScanned } from './test-plans.ts'
import { runRareStatements } from './test-rare-calls.ts'
import { Recorder } from './test-recording.ts'

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
/** The demo's fleet, its plans and its history, as many rows as a small company has. */
const filled = await openWorld()
/** Rare statements run here: after every call has been made, the people of the first one are signed out. */
const apart = await openWorld()
const { app, db } = world
const resources = { blobs: app.blobs, env: { brandName: 'Roadshow', publicUrl: 'http://localhost' }, log: () => {} }
const inJob = { signal: new AbortController().signal }
const recorder = new Recorder()
/** Plans are not checked: most of these statements run once, or for the demo. */
const rare = new Recorder()
const answered = new Map<string, number[]>()

/** A player connects, asks for its data and reports a play. */
async function reportPlay(): Promise<void> {
  const fleet = fleetOf(world)
  const running = await fleet.addRunning()
  await fleet.addPosition(running.truckUid, minutesAgo(10), DALLAS)
  const player = await fleet.come(await fleet.openNode(), running.device)
  await player.emitWithAck('player-plays', [fleet.aPlay(running.art)])
  await player.emitWithAck('get-player-data')
  // Contact with a player is written each second, and so is its end.
  const files = () => [...recorder.statements.values()].map(({ owner }) => owner)
  await vi.waitFor(() => expect(files()).toContain('live/telemetry/player-contact.ts'), { timeout: 60_000 })
  player.disconnect()
  await sleep(1500)
}

async function makeEveryCall(): Promise<void> {
  const samples = await sampleBodies(world)
  const needed = await neededQueries(world)
  const owners = await openOwners(world)
  const order = ['GET', 'POST', 'PUT', 'DELETE']
  for (const endpoint of endpoints.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))) {
    const pools = await owners.pools()
    const isLegacy = moduleOf.get(endpoint) === 'legacy'
    for (const [role, hasOptionalFields] of isLegacy ? requests.slice(0, 1) : requests) {
      const dice = fixedDice(hasOptionalFields)
      const sent = requestsOf({ dice, values: valuesOf(dice, () => pools), samples, needed })(endpoint, 'valid')
      const token = await openSession(db, owners.people[role].uid, { address: '', userAgent: '' })
      recorder.module = moduleOf.get(endpoint) ?? ''
      const headers = { ...sent.headers, authorization: `Bearer ${token}` }
      const { statusCode } = await app.inject({ ...sent, headers })
      answered.set(endpointName(endpoint), [...(answered.get(endpointName(endpoint)) ?? []), statusCode])
    }
  }
  recorder.module = ''
}

beforeAll(async () => {
  await filled.db.deleteFrom('session').execute()
  await filled.db.deleteFrom('user_account').execute()
  await loadDemo(filled.db, filled.app.blobs)
  for (const each of [db, planning.db, filled.db]) await runJob(createPartitionsJob, { ...resources, db: each }, inJob)
  recorder.start()
  await reportPlay()
  await makeEveryCall()
  for (const job of [...apiModules.flatMap(({ jobs = [] }) => jobs), sweepJob(tableLifetimes, readSettings)])
    await runJob(job, { ...resources, db }, inJob).catch(() => {})
  recorder.stop()
  rare.start()
  await runRareStatements(apart)
  rare.stop()
}, 600_000)

test('every call is made, and no call fails', () => {
  expect(new Set(answered.keys())).toEqual(new Set(endpoints.map(endpointName)))
  expect([...answered].filter(([, statuses]) => statuses.some((status) => status >= 500))).toEqual([])
})

/** Tables that statements of these files read whole. Most stay small, or are counted or swept. */
const READ_WHOLE: Record<string, string[]> = {
  // People make each key.
  api_key: ['console/services/connections.ts'],
  // Counted without a filter.
  audit_log: ['accounts/audit-log'],
  client_program: ['proof/reports/lookups.ts'],
  // One row for each connection.
  connection_check: ['console/services/connections.ts'],
  device: ['live/plays/grading-queue.ts'],
  // One row for each reason to grade old plays again.
  grading_backlog: ['live/plays/grading-queue.ts', 'live/plays/regrade-job.ts'],
  // One row.
  installation: ['console/setup/queries.ts'],
  // One row for each job.
  job_run: ['console/services/index.ts'],
  // One row for each migration.
  kysely_migration: ['platform/jobs/runner.ts'],
  market: ['console/charts/utilization.ts', 'proof/reports/lookups.ts', 'proof/reports/sd.ts'],
  // Holds what is still to be measured.
  miles_due: ['live/plays/figure-drops.ts', 'live/telemetry/remeasure.ts'],
  // One row for each stream of a player; it ends at the first that has received anything.
  play_sequence: ['console/setup/facts.ts'],
  pop: ['proof/pop/editor/save.ts'],
  push_key: ['outreach/push/keys.ts'],
  // The index of a user's sessions leaves out ended ones.
  session: [
    'accounts/sign-in/recipient-language.ts',
    'accounts/sign-in/sessions.ts',
    'outreach/notifications/rights.ts',
  ],
  setting: ['catalog/settings/queries.ts'],
  // Each attempt changes its time in place; it holds two days of attempts.
  throttle: ['platform/jobs/runner.ts'],
  truck: ['console/charts/utilization.ts'],
  // One row for each truck.
  truck_now: ['console/setup/facts.ts'],
  user_account: ['planning/shifts/by-driver.ts'],
  webhook: ['console/services/connections.ts', 'outreach/webhooks/plays.ts'],
  webhook_play_place: ['outreach/webhooks/plays.ts'],
  // Holds the shifts whose miles are still to be measured.
  work_before: ['live/plays/figure-drops.ts'],
}

test('no other statement reads a whole table', { timeout: 120_000 }, async () => {
  const readWhole: Record<string, string[]> = {}
  const unplanned: string[] = []
  for (const { owner, text } of recorder.statements.values()) {
    const tables = await tablesReadWhole(planning.db, text).catch((error: Error) => {
      unplanned.push(`${owner}: ${error.message}`)
      return []
    })
    for (const table of tables) readWhole[table] = [...new Set([...(readWhole[table] ?? []), owner])].toSorted()
  }
  expect(unplanned).toEqual([])
  expect(readWhole).toEqual(READ_WHOLE)
})

/** Tables that grow for years, or with a fleet, and have rows in the demo. */
const GROWING = [
  'artwork_set_file',
  'booked_line',
  'history',
  'pay_rate',
  'sd_address',
  'shift',
  'shift_office_time',
  'stored_file',
  'truck_hold',
]

/** Statements of these files read a table from one end to the other although an index would fit. */
const SCANNED: Record<string, string[]> = {
  // In the demo, many addresses show the same set, and many shifts have the same addresses.
  sd_address: ['catalog/artwork/queries.ts', 'proof/reports/sd.ts'],
  // Whether there is one at all, those of a market from some day on, and those of any number of changed trucks: without
  // their values, the planner takes a third of all.
  shift: ['console/setup/facts.ts', 'planning/shifts/zone-change/change.ts', 'proof/impressions/shift-impressions.ts'],
}

test('with many rows, no other statement passes over its indexes', async () => {
  await multiplyRows(filled.db, GROWING)
  const scanned: Record<string, string[]> = {}
  for (const { owner, text } of recorder.statements.values()) {
    for (const table of await tablesScanned(filled.db, text, GROWING))
      scanned[table] = [...new Set([...(scanned[table] ?? []), owner])].toSorted()
  }
  expect(scanned).toEqual(SCANNED)
})

/**
 * Statements that nothing runs here, and whose text is known only when they run, because functions put it together. By
 * file, with the reason, so that no statement joins them unnoticed.
 */
const UNCHECKED: Record<string, [count: number, because: string]> = {
  'console/changes/queries.ts': [1, 'It names the table of each kind of record.'],
  'console/setup/empty-demo.ts': [1, 'It is put together from the kinds of files.'],
  'demo/add-years.ts': [2, 'They fill two years of the demo.'],
  'live/plays/address-hours.ts': [1, 'It is for DuckDB.'],
  'live/plays/archive/address-plays.ts': [1, 'It is for DuckDB.'],
  'live/plays/archive/columns.ts': [2, 'One is for DuckDB; the other, on the connection of a COPY, compares its sums.'],
  'live/plays/archive/csv.ts': [2, 'One is for DuckDB; the other names its markets on the connection of a COPY.'],
  'live/plays/archive/job.ts': [2, 'They name a partition.'],
  'live/plays/archive/write.ts': [2, 'One is for DuckDB; the other deletes what it has read into a file.'],
  'live/plays/export.ts': [1, 'A COPY runs it as text.'],
  'live/plays/feed/arrivals.ts': [1, 'It is for DuckDB.'],
  'live/plays/feed/corrections.ts': [1, 'It is for DuckDB.'],
  'live/plays/log.ts': [1, 'It lists plays that DuckDB has read.'],
  'live/telemetry/truck-days.ts': [1, 'It queues days that follow one that a late fix has changed.'],
  'platform/db/merge-days.ts': [3, 'They name a table that exists during a merge.'],
  'platform/deletion/index.ts': [2, 'They name the table of each kind of record.'],
}

test('row types name the columns that PostgreSQL returns, with their types', { timeout: 120_000 }, async () => {
  const claims = claimsOfSources()
  const describe = await describerOf(planning.db)
  const checked = new Set<Claim>()
  const problems = new Set<string>()
  const check = async (text: string, applied: Applied[]) => {
    if (applied.length === 0) return
    const columns = await describe(text).catch((error: Error) => error)
    for (const { claim, name } of applied) {
      checked.add(claim)
      const found = columns instanceof Error ? [columns.message] : problemsOf(columns, { claim, name })
      for (const problem of found) problems.add(`${claim.at}: ${problem}`)
    }
  }
  const all = [...claims.values()].flat()
  for (const claim of all) if (claim.text) await check(claim.text, [{ claim }])
  for (const { text, node } of [...recorder.statements.values(), ...rare.statements.values()])
    if (node) await check(text, claimsOf(claims, node))
  const unchecked: Record<string, number> = {}
  for (const { file, columns } of all.filter((claim) => !checked.has(claim)))
    if (columns) unchecked[file] = (unchecked[file] ?? 0) + 1
  expect([...problems]).toEqual([])
  expect(unchecked).toEqual(Object.fromEntries(Object.entries(UNCHECKED).map(([file, [count]]) => [file, count])))
})
