import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'
import {
  brandStyles,
  dropServerParts,
  EARLY_DAY,
  hastenDriverPage,
  leaveOutUnused,
  listDriverAssets,
  precompress,
} from './vite-plugins.ts'

const DRIVER_WORKER = 'driver/service-worker'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

// The drivers' app is built alone, after the console: built together, what both use would be in many small files, and
// on a phone each file costs a trip to the server.
export default defineConfig({
  root: file('.'),
  plugins: [react(), dropServerParts(), leaveOutUnused(), hastenDriverPage(), listDriverAssets(), precompress()],
  css: brandStyles,
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: {
    emptyOutDir: false,
    copyPublicDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        driver: file('driver.html'),
        [EARLY_DAY]: file('src/driver/early/early-day.ts'),
        [DRIVER_WORKER]: file('src/driver/worker/service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === DRIVER_WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
