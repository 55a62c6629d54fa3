import react from '@vitejs/plugin-react'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defaultClientConditions, defineConfig } from 'vite'
import type { Plugin } from 'vite'
// By its file: this runs before the contract is built.
import { signInPaths } from '../contract/src/platform/constants.ts'

const API = 'http://127.0.0.1:5001'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** What the server writes into the pages, and what stands there unless a setting says otherwise. */
const shown = {
  BRAND_NAME: 'Roadshow',
  TILE_URL: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
  TILE_ATTRIBUTION: '© OpenStreetMap contributors',
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

/** Writes a .br and a .gz beside each text asset: the server sends those, compressed once and as small as can be. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const root = dir ?? file('dist')
      const assets = await readdir(root, { recursive: true })
      for (const asset of assets.filter((name) => /\.(?:js|css|svg|json)$/.test(name))) {
        const path = join(root, asset)
        const content = await readFile(path)
        await writeFile(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
        await writeFile(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

/** A part of a program as the parser gives it. */
interface Syntax {
  type: string
  start: number
  end: number
  callee?: { name?: string }
  key?: { name?: string }
  value?: Syntax
}

const isSyntax = (value: unknown): value is Syntax => typeof (value as Syntax | null)?.type === 'string'

/** The replies of all calls that a program declares. */
function repliesIn(part: Syntax, isDeclaration = false): Syntax[] {
  if (isDeclaration && part.type === 'Property' && part.key?.name === 'reply' && part.value) return [part.value]
  const isCall = part.type === 'CallExpression' && part.callee?.name === 'endpoint'
  const isInside = isCall || (isDeclaration && part.type === 'ObjectExpression')
  return Object.values(part)
    .flat()
    .filter(isSyntax)
    .flatMap((inner) => repliesIn(inner, isInside))
}

/** Leaves out the schemas of replies, which only the server checks: pages are ready sooner without making them. */
function dropReplies(): Plugin {
  return {
    name: 'drop-replies',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(file('../contract/src/'))) return null
      if (/\.reply\./.test(code)) this.error('A schema is taken from a reply, which pages do without: name the schema.')
      const replies = repliesIn(this.parse(code))
      return replies.reduceRight((text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`, code)
    },
  }
}

// Parts of packages that no page uses but that are always loaded with the rest: zod's way to JSON Schema, and the
// transports of sockets other than WebSocket, the only one that the server accepts.
const UNUSED =
  /\/(?:zod\/v4\/core\/(?:to-json-schema|json-schema-processors)|engine\.io-client\/build\/esm\/transports\/(?:polling|polling-xhr|polling-fetch|webtransport))\.js$/

/** Replaces modules that no page uses by their names. */
function leaveOutUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    apply: 'build',
    transform(code, id) {
      if (!UNUSED.test(id)) return null
      const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
      const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map(([, name]) => name)
      return [...names, ...renamed].map((name) => `export function ${name}() {}`).join('\n')
    },
  }
}

// Packages in few files instead of one for each small part: a request costs about as much as a kilobyte, and what is
// compressed together is smaller. The order matters: a group takes along what its modules import.
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
  plugins: [react(), servePages(), dropReplies(), leaveOutUnused(), precompress()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: {
    port: 3000,
    strictPort: true,
    proxy: {
      '/api': API,
      '/socket.io': { target: API, ws: true },
      // The public page is written by the server, with style sheet and script as last built.
      '^/(?:pop/|programs/(?!(?:pop|program-by-client)(?:$|[?]))|assets/)': API,
    },
  },
  build: {
    // Every browser that runs module scripts as written here also preloads them.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [file('index.html'), file('sign-in.html'), file('pop.html')],
      output: { codeSplitting: { groups: chunks } },
      // These packages do nothing but export; they only do not say so.
      treeshake: { moduleSideEffects: [{ test: /\/node_modules\/@rc-component\//, sideEffects: false }] },
    },
  },
})
