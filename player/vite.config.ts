import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'
import type { Plugin } from 'vite'
import packageJson from '../package.json' with { type: 'json' }
import { PLAYER_PATH } from '../contract/src/platform/constants.ts'
import { dropServerParts, leaveOutUnused, precompress } from '../web/vite-plugins.ts'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Tells the service worker which files a start without network needs. A new build makes it a new worker. */
function listAssets(): Plugin {
  return {
    name: 'list-assets',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['service-worker.js']
      if (worker?.type !== 'chunk') throw new Error('The service worker is missing.')
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/') && !name.endsWith('.map'))
      const paths = built.toSorted().map((name) => `${PLAYER_PATH}/${name}`)
      worker.code = worker.code.replace(/(["'`])ASSETS\1/, () => JSON.stringify(paths.join(' ')))
    },
  }
}

export default defineConfig({
  root: file('.'),
  base: `${PLAYER_PATH}/`,
  plugins: [dropServerParts(), leaveOutUnused(), listAssets(), precompress()],
  define: { PLAYER_VERSION: JSON.stringify(packageJson.version) },
  resolve: { conditions: ['source', ...defaultClientConditions] },
  worker: { format: 'es' },
  build: {
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: file('index.html'), 'service-worker': file('src/workers/service-worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
})
