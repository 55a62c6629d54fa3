import { defineConfig } from 'vitest/config'

/** Tests that replace modules which are loaded later: each needs modules of its own. */
export const isolatedTests = [
  'src/api/*.test.ts',
  'src/live/fleet/liveFleet.test.ts',
  'src/legacy/useLiveRefresh.test.tsx',
]

export const shared = {
  environment: 'happy-dom',
  setupFiles: ['src/test-setup.ts'],
  css: false,
  testTimeout: 90_000,
}

export const resolve = { conditions: ['source', 'module', 'browser', 'default'] }

export default defineConfig({
  resolve,
  test: {
    ...shared,
    name: 'web',
    include: ['src/**/*.test.{ts,tsx}'],
    exclude: isolatedTests,
    // Files share imported modules: loading Ant Design again takes longer than most of them.
    isolate: false,
  },
})
