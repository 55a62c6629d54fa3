import { defineConfig } from 'vitest/config'

// The contract is read from its source, so that no build stands between a change and its test.
const resolve = { conditions: ['source', 'node', 'default'] }
const ssr = { resolve: { conditions: ['source', 'node', 'default'] } }

export default defineConfig({
  test: {
    // As many as there are cores where the tests are run for good; the default leaves one of two idle.
    maxWorkers: 2,
    projects: [
      { resolve, ssr, test: { name: 'contract', root: 'contract', include: ['src/**/*.test.ts'] } },
      {
        resolve,
        ssr,
        test: {
          name: 'api',
          root: 'api',
          include: ['{src,test}/**/*.test.ts'],
          globalSetup: '../test-kit/src/database.ts',
          // Files share what they import: to read the whole app anew takes longer than most of them. Each has a database
          // of its own, nothing but counters is kept in modules, and clocks and spies are put back after each file.
          isolate: false,
          setupFiles: ['../test-kit/src/setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { resolve, ssr, test: { name: 'simulator', root: 'simulator', include: ['src/**/*.test.ts'] } },
      { resolve, ssr, test: { name: 'soak', root: 'bench', include: ['src/**/*.test.ts'] } },
      'web/vitest.config.ts',
    ],
  },
})
