import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig } from 'vite'
import type { Plugin } from 'vite'
// By its file: this runs before the contract is built.
import { DRIVER_PATH, PLAYER_PATH, signInPaths } from '../contract/src/platform/constants.ts'
import { antdAtBuildTime } from './vite-antd.ts'
import {
  brandStyles,
  dropServerParts,
  joinChunks,
  leaveOutUnused,
  listConsoleAssets,
  precompress,
} from './vite-plugins.ts'

const API = 'http://127.0.0.1:5001'
const PLAYER = 'http://localhost:3001'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** What the server writes into the pages, and what stands there unless a setting says otherwise. */
const shown = {
  BRAND_NAME: 'Roadshow',
  VERSION: 'in development',
  TILE_URL: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  TILE_ATTRIBUTION: '© OpenStreetMap contributors',
  TILE_AREA: '',
  SINGLE_SIGN_ON: process.env['OIDC_ISSUER'] ? (process.env['OIDC_NAME'] ?? 'your company account') : '',
  PASSWORD_SIGN_IN: 'on',
}

/** In development, what the API server does with the pages it serves: which page a path gets, and the brand in it. */
function servePages(): Plugin {
  return {
    name: 'serve-pages',
    apply: 'serve',
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const [path, query] = (request.url ?? '').split('?')
        if (signInPaths.includes(path ?? '')) request.url = `/sign-in.html${query === undefined ? '' : `?${query}`}`
        if (path === DRIVER_PATH || (path?.startsWith(`${DRIVER_PATH}/`) && !path.includes('.')))
          request.url = '/driver.html'
        next()
      })
    },
    transformIndexHtml(html) {
      return Object.entries(shown).reduce((text, [name, standard]) => {
        const value = (process.env[name] ?? standard).replace(/[&<"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
        return text.replaceAll(`%${name}%`, () => value)
      }, html)
    },
  }
}

// Packages that every release has alike, in files that browsers keep from one release to the next. All other files are
// joined by what is loaded together. The order matters: a group takes along what its modules import.
const chunks = [
  { name: 'react', test: /\/node_modules\/(?:react|react-dom|scheduler)\// },
  { name: 'zod', test: /\/node_modules\/zod\/|\/contract\/src\/platform\/zod\.ts$/ },
  // What the frame of the console needs, and so every screen.
  {
    name: 'console',
    minShareCount: 2,
    test: /\/node_modules\/(?:@tanstack\/|stylis\/|@ant-design\/cssinjs|antd\/es\/(?:theme|config-provider|button|spin)\/)/,
  },
]

export default defineConfig({
  root: file('.'),
  plugins: [
    react(),
    servePages(),
    ...antdAtBuildTime(),
    dropServerParts(),
    leaveOutUnused(),
    joinChunks(chunks.map(({ name }) => name)),
    listConsoleAssets(),
    precompress(),
  ],
  css: brandStyles,
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: {
    port: 3000,
    strictPort: true,
    proxy: {
      '/api': API,
      '/socket.io': { target: API, ws: true },
      [PLAYER_PATH]: { target: PLAYER, ws: true },
      // The public page is written by the server, with style sheet and script as last built.
      '^/(?:c/|o/|pop/|programs/(?!(?:pop|program-by-client)(?:$|[?]))|assets/)': API,
    },
  },
  build: {
    // Every browser that runs module scripts as written here also preloads them.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: file('index.html'),
        'sign-in': file('sign-in.html'),
        pop: file('pop.html'),
        campaign: file('campaign.html'),
        proposal: file('proposal.html'),
      },
      output: {
        codeSplitting: { groups: chunks },
      },
      // These packages do nothing but export; they only do not say so.
      treeshake: {
        moduleSideEffects: [{ test: /\/node_modules\/(?:@rc-component|@ant-design)\//, sideEffects: false }],
      },
    },
  },
})
