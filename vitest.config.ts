import { defineConfig } from 'vitest/config'
import { findCitus } from './test-kit/src/citus-programs.ts'

// Workspaces are read from their sources, so that no build stands between a change and its test.
const resolve = { conditions: ['source', 'node', 'default'] }
const ssr = { resolve }
// What prepares a run is read from sources too.
const environments = { __vitest__: { resolve } }

/**
 * Tests that start nodes, kill processes, cut connections, try every call or every order, fill a whole demo or thousands of
 * rows: `npm run test:system`.
 */
const systemTests = [
  'test/nodes.test.ts',
  'test/pooler.test.ts',
  'test/database-roles.test.ts',
  'test/recovery.test.ts',
  'test/way-back.test.ts',
  'test/install.test.ts',
  'test/image.test.ts',
  'test/services-away.test.ts',
  'test/node-log.test.ts',
  'test/mails-once.test.ts',
  'test/replica.test.ts',
  'test/fuzz/*.test.ts',
  'test/queries/queries.test.ts',
  'test/any-order.test.ts',
  'test/archive-any-order.test.ts',
  'src/**/*any-order.test.ts',
  'test/archived-answers.test.ts',
  'test/agreement.test.ts',
  'test/alerts.test.ts',
  'test/backup-commands.test.ts',
  'test/full-database-disk.test.ts',
  'test/audit.test.ts',
  'test/identities.test.ts',
  'test/scope/*.test.ts',
  'src/platform/db/away.test.ts',
  'src/platform/http/connections.test.ts',
  'src/platform/observability/stray-errors.test.ts',
  'src/live/plays/archive/archive.test.ts',
  'src/**/crash.test.ts',
  'src/platform/db/embedded/server.test.ts',
  'src/live/fleet/rights.test.ts',
  'src/**/bad-bodies.test.ts',
  'src/**/bad-input.test.ts',
  'src/**/poller.test.ts',
  'src/live/fleet/sockets.test.ts',
  'src/**/race.test.ts',
  'src/**/flood.test.ts',
  'src/**/reference-clients.test.ts',
  'src/**/backup.test.ts',
  'src/demo/demo.test.ts',
  'src/demo/past.test.ts',
  'src/demo/recount.test.ts',
  'test/old-database.test.ts',
  'test/upgrade.test.ts',
  'test/hot-updates.test.ts',
  'src/platform/db/migrate.test.ts',
  'src/platform/db/partitions.test.ts',
  'src/platform/db/records/{records,deep-page,totals}.test.ts',
  'src/platform/files/{sweep,streams}.test.ts',
  'src/platform/jobs/since-watermark.test.ts',
  'src/planning/fill/{fill,solve}.test.ts',
  'src/planning/suggestions/suggestions.test.ts',
  'src/planning/shifts/{board,holds}.test.ts',
  'src/planning/shifts/upload/{check,bad-files}.test.ts',
  'src/outreach/feeds/plays.test.ts',
  'src/outreach/notifications/drop-notices.test.ts',
  'test/words.test.ts',
]

// Files share imported modules: loading the whole app again takes longer than most of them. Each has a database of its
// own, modules keep nothing but counters, and clocks and spies are reset after each file.
const shared = {
  setupFiles: ['../test-kit/src/setup.ts'],
  isolate: false,
  testTimeout: 30_000,
  // Most of what a test makes is garbage at once: with more room for it, it is collected less often.
  execArgv: ['--max-semi-space-size=64'],
}
const api = {
  ...shared,
  root: 'api',
  globalSetup: ['../test-kit/src/database.ts'],
  hookTimeout: 60_000,
}

/** Tests of whole data; the others beside them are about nodes, their services and the code. */
const testsOfData =
  'test/{agreement,any-order,archive-any-order,audit,export-zones,exports,figures-to-rows,identities,read-back,served-calls,spec}.test.ts'

/** Where a PostgreSQL of this machine has Citus, everything about telemetry and plays is tested on a cluster as well. */
const onCluster = [
  'test/citus/*.test.ts',
  ...(findCitus()
    ? [
        'src/{planning,live,proof,pay,legacy}/**/*.test.ts',
        'src/outreach/{feeds,webhooks}/*.test.ts',
        'src/platform/backup/*.test.ts',
        'src/demo/simulate.test.ts',
        testsOfData,
      ]
    : []),
]

export default defineConfig({
  test: {
    // For the two cores where the tests are run for good: with a worker a core they idle a sixth of the time, because tests
    // wait for the database.
    maxWorkers: 3,
    projects: [
      { resolve, ssr, test: { ...shared, name: 'contract', root: 'contract', include: ['src/**/*.test.ts'] } },
      { resolve, ssr, test: { ...shared, name: 'player', root: 'player', include: ['src/**/*.test.ts'] } },
      { resolve, ssr, test: { ...shared, name: 'simulator', root: 'simulator', include: ['src/**/*.test.ts'] } },
      {
        resolve,
        ssr,
        environments,
        test: {
          ...api,
          name: 'api',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...systemTests, 'test/citus/*.test.ts'],
        },
      },
      {
        resolve,
        ssr,
        environments,
        test: {
          ...api,
          name: 'system',
          // They start nodes, databases and machines, and wait for them.
          testTimeout: 120_000,
          include: systemTests,
          globalSetup: [...api.globalSetup, '../test-kit/src/compile.ts'],
        },
      },
      {
        resolve,
        ssr,
        environments,
        test: {
          ...api,
          name: 'citus',
          // Each statement goes to other machines, or to other processes of a busy one.
          testTimeout: 240_000,
          include: onCluster,
          globalSetup: ['../test-kit/src/citus-database.ts', '../test-kit/src/compile.ts'],
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'soak',
          root: 'bench',
          include: ['src/**/*.test.ts'],
          globalSetup: ['../test-kit/src/compile.ts'],
        },
      },
      'web/vitest.config.ts',
      'web/vitest.screens.config.ts',
    ],
  },
})
