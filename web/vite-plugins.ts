import { createHash } from 'node:crypto'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build } from 'vite'
import type { CSSOptions, Plugin, PluginOption, Rolldown, UserConfig } from 'vite'
import { bothOf, colorIn, colors, fontFamily } from './src/brand/colors.ts'
import type { ColorName, Scheme } from './src/brand/colors.ts'
import { filesToJoin } from './vite-chunks.ts'
import type { ScriptFile, ScriptFiles } from './vite-chunks.ts'

// How the pages of the console, of the player and of the drivers' app are built alike.

/** The custom properties that `@brand` stands for, or those of the named colors as they are in one scheme. */
function brandProperties(params: string): [name: string, value: string][] {
  const [scheme, ...names] = params.split(' ')
  if (!scheme) return [...Object.entries(colors).map(nameAndBoth), ['font', fontFamily]]
  return names.map((name) => [name, colorIn(name as ColorName, scheme as Scheme)])
}

const nameAndBoth = ([name, pair]: [string, readonly [string, string]]): [string, string] => [name, bothOf(pair)]

/**
 * Writes the colors and the font of `brand/colors.ts` into stylesheets: all of them for `@brand`, and for
 * `@brand dark ink bad` two colors of what is dark in both schemes.
 */
export const brandStyles: CSSOptions = {
  postcss: {
    plugins: [
      {
        postcssPlugin: 'brand',
        AtRule: {
          brand(place, { Declaration }) {
            for (const [name, value] of brandProperties(place.params))
              place.before(
                Object.assign(new Declaration({ prop: `--${name}`, value }), place.source && { source: place.source }),
              )
            place.remove()
          },
        },
      },
    ],
  },
}

const isText = (name: string) => /\.(?:js|css|svg|json)$/.test(name)
const textsIn = async (folder: string) =>
  (await readdir(folder, { recursive: true }).catch((): string[] => []))
    .filter(isText)
    .map((name) => join(folder, name))

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** A file as browsers get it. */
interface Compressed {
  gz: Buffer
  br: Buffer
}

/** In threads of their own: with the best compression this is most of what a build takes. */
const compress = async (content: Buffer): Promise<Compressed> => {
  const [gz, br] = await Promise.all([
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    promisify(brotliCompress)(content),
  ])
  return { gz, br }
}

/** What the build before this one has compressed, by the digest of what it compressed. */
async function compressedIn(folder: string): Promise<[string, Compressed][]> {
  const found = (await textsIn(folder)).map(async (path): Promise<[string, Compressed][]> => {
    const [content, gz, br] = await Promise.all(
      [path, `${path}.gz`, `${path}.br`].map((each) => readFile(each).catch(() => undefined)),
    )
    return content && gz && br ? [[digest(content), { gz, br }]] : []
  })
  return (await Promise.all(found)).flat()
}

/**
 * Writes a .br and a .gz beside each text asset: the server sends those, compressed once and as small as can be. Files that
 * are as the build before made them keep theirs.
 */
export function precompress(): Plugin {
  let folder = 'dist'
  let before = new Map<string, Compressed>()
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir)
    },
    // Before the folder is emptied.
    async buildStart() {
      before = new Map(await compressedIn(folder))
    },
    async writeBundle() {
      const written = (await textsIn(folder)).map(async (path) => {
        const content = await readFile(path)
        const { gz, br } = before.get(digest(content)) ?? (await compress(content))
        await Promise.all([writeFile(`${path}.gz`, gz), writeFile(`${path}.br`, br)])
      })
      await Promise.all(written)
    },
  }
}

/** A part of a program as the parser gives it. */
export interface Syntax {
  type: string
  start: number
  end: number
  callee?: { name?: string }
  arguments?: Syntax[]
  key?: { name?: string }
  value?: Syntax
}

export const isSyntax = (value: unknown): value is Syntax => typeof (value as Syntax | null)?.type === 'string'

const ON_SERVER = ['reply', 'summary']

/** What only the server reads of the calls that a program declares: schemas of replies, and sentences for the docs. */
function serverPartsIn(part: Syntax, isDeclaration = false): Syntax[] {
  const { type, key, value } = part
  if (isDeclaration && type === 'Property' && ON_SERVER.includes(key?.name ?? '') && value) return [value]
  const isCall = part.type === 'CallExpression' && part.callee?.name === 'endpoint'
  const isInside = isCall || (isDeclaration && part.type === 'ObjectExpression')
  return Object.values(part)
    .flat()
    .filter(isSyntax)
    .flatMap((inner) => serverPartsIn(inner, isInside))
}

const CONTRACT = fileURLToPath(new URL('../contract/src/', import.meta.url))

/** Leaves out the server's part of calls: pages are smaller, and ready sooner without making schemas of replies. */
export function dropServerParts(): Plugin {
  return {
    name: 'drop-server-parts',
    apply: 'build',
    transform(code, id) {
      if (!id.startsWith(CONTRACT)) return null
      if (/\.reply\./.test(code)) this.error('A schema is taken from a reply, which pages do without: name the schema.')
      const parts = serverPartsIn(this.parse(code))
      return parts.reduceRight((text, { start, end }) => `${text.slice(0, start)}undefined${text.slice(end)}`, code)
    },
  }
}

// Parts of packages that no page uses but that are always loaded with the rest: zod's way to JSON Schema, Ant Design's
// skeletons, and the transports of sockets other than WebSocket, the only one that the server accepts.
const UNUSED =
  /\/(?:zod\/v4\/core\/(?:to-json-schema|json-schema-processors)|antd\/es\/skeleton\/index|engine\.io-client\/build\/esm\/transports\/(?:polling|polling-xhr|polling-fetch|webtransport))\.js$/

/** Replaces modules that no page uses by their names. */
export function leaveOutUnused(): Plugin {
  return {
    name: 'leave-out-unused',
    apply: 'build',
    transform(code, id) {
      if (!UNUSED.test(id)) return null
      const names = [...code.matchAll(/^export (?:const|function|class) (\w+)/gm)].map(([, name]) => name)
      const renamed = [...code.matchAll(/^export \{ \w+ as (\w+) \}/gm)].map(([, name]) => name)
      const standard = /^export default /m.test(code) ? 'export default function () {}\n' : ''
      return standard + [...names, ...renamed].map((name) => `export function ${name}() {}`).join('\n')
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

/** The name of the file for each module: that of its largest part, with a number where it is taken. */
function namesOf(chunks: Readonly<Record<string, Rolldown.OutputChunk>>, files: ScriptFiles): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const joined of filesToJoin(files)) {
    const [largest] = joined.toSorted((a, b) => (files[b]?.size ?? 0) - (files[a]?.size ?? 0))
    const name = files[largest ?? '']?.name ?? ''
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    for (const module of joined.flatMap((each) => chunks[each]?.moduleIds ?? []))
      names.set(module, count > 1 ? `${name}-${count}` : name)
  }
  return names
}

const JOIN_CHUNKS = 'join-chunks'

/** The parts of the console that most see first. */
const FIRST_SCREEN = ['OverviewPage', 'ShiftsOfDay']

/** Builds without writing anything, to see which files the bundler makes by itself. */
async function chunksOf(config: UserConfig): Promise<Rolldown.OutputChunk[]> {
  const isOther = (plugin: PluginOption) => !(plugin && 'name' in plugin && plugin.name === JOIN_CHUNKS)
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'warn',
    plugins: (config.plugins ?? []).filter(isOther),
    build: { ...config.build, write: false, minify: false, reportCompressedSize: false },
  })
  const outputs = Array.isArray(built) ? built : [built]
  return outputs.flatMap((each) => ('output' in each ? each.output : [])).filter((each) => each.type === 'chunk')
}

/**
 * Joins the small files that many screens share. Alone, the bundler makes one for each set of parts that use the same
 * modules: hundreds, a quarter of them smaller than the headers of the request.
 */
export function joinChunks(fixed: readonly string[]): Plugin {
  return {
    name: JOIN_CHUNKS,
    apply: 'build',
    async config(config) {
      const chunks = Object.fromEntries((await chunksOf(config)).map((chunk) => [chunk.fileName, chunk]))
      const files = Object.entries(chunks).map(([file, chunk]): [string, ScriptFile] => {
        const { name, code, imports, dynamicImports, isEntry, isDynamicEntry } = chunk
        const isFirst = FIRST_SCREEN.includes(name)
        const kind = { isPage: isEntry, isPart: isDynamicEntry, isFirst, isFixed: fixed.includes(name) }
        return [file, { name, size: code.length, imports, dynamicImports, ...kind }]
      })
      const names = namesOf(chunks, Object.fromEntries(files))
      const group = { name: (module: string) => names.get(module), includeDependenciesRecursively: false }
      return { build: { rolldownOptions: { output: { codeSplitting: { groups: [group] } } } } }
    },
  }
}
