import { defineConfig } from 'vitest/config'

/** Tests of whole screens, which take the longest: `npm run test:system`. */
export const screenTests = [
  'src/**/*Page.test.tsx',
  'src/**/*Drawer.test.tsx',
  'src/**/*Pages.test.tsx',
  'src/**/*List.test.tsx',
  'src/proof/reports/adLog.test.tsx',
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
  test: { ...shared, name: 'web', include: ['src/**/*.test.{ts,tsx}'], exclude: screenTests },
})
