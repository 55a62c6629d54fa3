import { defineConfig } from 'vitest/config'

/** Tests that draw, which take the longest: `npm run test:system`. */
export const screenTests = ['src/**/*.test.tsx']

// A link to a file is kept by a browser; here it would leave the page, and with it all that waits there.
const navigation = { disableMainFrameNavigation: true, disableFallbackToSetURL: true }

// Nothing is drawn here, so that an animation never ends by itself: each would be waited for half a second.
const device = { prefersReducedMotion: 'reduce' }

export const shared = {
  environment: 'happy-dom',
  environmentOptions: { happyDOM: { settings: { navigation, device } } },
  setupFiles: ['src/test-setup.ts'],
  // Files share imported modules and a page, which is emptied after each of them: loading it again takes longer than most
  // files.
  isolate: false,
  execArgv: ['--max-semi-space-size=64'],
  css: false,
  testTimeout: 90_000,
}

export const resolve = { conditions: ['source', 'module', 'browser', 'default'] }

export default defineConfig({
  resolve,
  test: { ...shared, name: 'web', include: ['src/**/*.test.ts'] },
})
