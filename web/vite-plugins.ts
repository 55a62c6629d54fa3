import { createHash } from 'node:crypto'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

// How the pages of the console, of the player and of the drivers' app are built alike.

/** Writes a .br and a .gz beside each text asset: the server sends those, compressed once and as small as can be. */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir }) {
      const root = dir ?? 'dist'
      const assets = await readdir(root, { recursive: true })
      for (const asset of assets.filter((name) => /\.(?:js|css|svg|json)$/.test(name))) {
        const path = join(root, asset)
        if (await isCompressed(path)) continue
        const content = await readFile(path)
        await writeFile(`${path}.gz`, gzipSync(content, { level: constants.Z_BEST_COMPRESSION }))
        await writeFile(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

/** Whether a build before this one, into the same folder, has compressed the file. */
async function isCompressed(path: string): Promise<boolean> {
  const [asset, compressed] = await Promise.all([stat(path), stat(`${path}.br`).catch(() => undefined)])
  return compressed !== undefined && compressed.mtimeMs >= asset.mtimeMs
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

const CONTRACT = fileURLToPath(new URL('../contract/src/', import.meta.url))

/** Leaves out the schemas of replies, which only the server checks: pages are ready sooner without making them. */
export function dropReplies(): Plugin {
  return {
    name: 'drop-replies',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(CONTRACT)) return null
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
export function leaveOutUnused(): Plugin {
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

/** The script that asks for the driver's day before the app has loaded. */
export const EARLY_DAY = 'driver-early-day'

/**
 * Lets the drivers' page show something with its first bytes: its styles stand in it, and the day is asked for before
 * the app has loaded.
 */
export function hastenDriverPage(): Plugin {
  return {
    name: 'hasten-driver-page',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { path, bundle = {} }) {
        if (path !== '/driver.html') return html
        const early = entryOf(bundle, EARLY_DAY)
        const styled = html.replaceAll(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/g, (_, name: string) => {
          const sheet = bundle[name]
          if (sheet?.type !== 'asset') throw new Error(`The style sheet ${name} is missing.`)
          return `<style>${sheet.source.toString().trim()}</style>`
        })
        const attrs = { type: 'module', crossorigin: true, src: `/${early.fileName}` }
        return { html: styled, tags: [{ tag: 'script', attrs, injectTo: 'head-prepend' }] }
      },
    },
  }
}

function entryOf(bundle: Rolldown.OutputBundle, name: string): Rolldown.OutputChunk {
  const found = Object.values(bundle).find((each) => each.type === 'chunk' && each.isEntry && each.name === name)
  if (found?.type !== 'chunk') throw new Error(`The entry ${name} is missing.`)
  return found
}

/** A map needs the network for its streets, and most servers have none. */
const isOnlyOnline = (chunk: Rolldown.OutputBundle[string] | undefined) =>
  chunk?.type === 'chunk' && chunk.facadeModuleId?.endsWith('/driver/shift/map/StreetMap.tsx')

/** Everything that entries load, now or later. */
function filesOf(bundle: Rolldown.OutputBundle, entries: readonly string[]): string[] {
  const needed = new Set<string>()
  const add = (name: string) => {
    if (needed.has(name)) return
    needed.add(name)
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk') return
    const { importedCss = [], importedAssets = [] } = chunk.viteMetadata ?? {}
    const later = chunk.dynamicImports.filter((each) => !isOnlyOnline(bundle[each]))
    for (const next of [...chunk.imports, ...later, ...importedCss, ...importedAssets]) add(next)
  }
  for (const entry of entries) add(entryOf(bundle, entry).fileName)
  return [...needed].toSorted().map((name) => `/${name}`)
}

/**
 * Tells the worker of the drivers' app which files a start without network needs: everything that its page loads, now or
 * later. A new build, or only a new page, makes it a new worker.
 */
export function listDriverAssets(): Plugin {
  return {
    name: 'list-driver-assets',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle['driver/service-worker.js']
      const page = bundle['driver.html']
      if (worker?.type !== 'chunk' || page?.type !== 'asset') throw new Error('The drivers’ app is missing.')
      const paths = filesOf(bundle, ['driver', EARLY_DAY])
      const version = createHash('sha256').update(page.source).digest('base64url').slice(0, 12)
      worker.code = worker.code.replace(/(["'`])ASSETS\1/, () => JSON.stringify([...paths, version].join(' ')))
    },
  }
}

/** Lists the scripts and styles of the console, which it loads ahead so that screens open without network. */
export function listConsoleAssets(): Plugin {
  return {
    name: 'list-console-assets',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const paths = filesOf(bundle, ['index']).filter((path) => /\.(?:js|css)$/.test(path))
      this.emitFile({ type: 'asset', fileName: 'console-assets.json', source: JSON.stringify(paths) })
    },
  }
}
