import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source', 'module', 'browser', 'default'] },
  test: { name: 'web', environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'], css: false, testTimeout: 30_000 },
})
