import { mkdtempSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { defineConfig, devices } from '@playwright/test'
import { CLIENT_ID, CLIENT_SECRET } from '@roadshow/test-kit/identity-client'

const freePort = () =>
  new Promise<string>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(String(port)))
    })
  })

// Chosen once in the first process; its workers inherit them.
process.env['E2E_PORT'] ??= await freePort()
process.env['E2E_OIDC_PORT'] ??= await freePort()
process.env['E2E_DATA'] ??= mkdtempSync(path.join(os.tmpdir(), 'roadshow-e2e-'))

const port = process.env['E2E_PORT']
const executablePath = process.env['CHROMIUM_PATH']
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 900 } }

// Parts of the browser's own window that it draws as pages, a process for each window, and what the test runner turns off by
// itself: the last list given is the one that counts.
const DISABLED_FEATURES = [
  'InitialWebUI',
  'PreloadTopChromeWebUI',
  'WebUIReloadButton',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
]

export default defineConfig({
  testDir: 'src',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  expect: { timeout: 15_000 },
  timeout: 90_000,
  use: {
    ...desktop,
    baseURL: `http://localhost:${port}`,
    // Journeys need not watch things slide; screens must work for people who asked for less motion.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        `--disable-features=${DISABLED_FEATURES.join(',')}`,
        // A camera of the browser's own, for journeys with a phone.
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        // Journeys need nothing from elsewhere, map tiles included.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost',
      ],
    },
  },
  webServer: {
    command: 'node ../api/dist/bundled/main.js',
    url: `http://localhost:${port}/readyz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    env: {
      PORT: port,
      DATA_DIR: process.env['E2E_DATA'],
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      DEMO_PAST: 'short',
      // The journey of single sign-on starts the provider; all others do without.
      OIDC_ISSUER: `http://localhost:${process.env['E2E_OIDC_PORT']}`,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_NAME: 'Acme',
      OIDC_ROLES: 'dispatch=sales',
    },
  },
})
