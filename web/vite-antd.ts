import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { isSyntax } from './vite-plugins.ts'
import type { Syntax } from './vite-plugins.ts'

// Only when it is needed: it loads Ant Design.
const loadStyles = () => import('./vite-antd-styles.tsx')

const ANTD = '/node_modules/antd/es/'
const THEME = fileURLToPath(new URL('src/ui/antd-theme.ts', import.meta.url))
const MARK = 'antd'

// Parts that come with components in use and that nothing here shows.
const NEVER_SHOWN = new Set([
  'Input-OTP',
  'Input-Search',
  'Menu-Menu',
  'Modal-confirm',
  'Pagination-bordered',
  'Skeleton-Skeleton',
  'Space-Space',
  'Space-Compact',
  'Addon-Addon',
  'Button-compact',
])

/** The module of the theme without what the style sheet says: the values that scripts read. */
async function builtTheme(): Promise<string> {
  const { readTokens } = await loadStyles()
  const [light, dark, phone] = [readTokens('light', false), readTokens('dark', false), readTokens('light', true)]
  const differing = (tokens: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(tokens).filter(([name, value]) => value !== light[name]))
  return `
const dark = ${JSON.stringify(differing(dark))}
const phone = ${JSON.stringify(differing(phone))}
const light = ${JSON.stringify(light)}
export const antdTheme = (scheme, { motion, isPhone }) => ({
  zeroRuntime: true,
  token: { ...light, ...(scheme === 'dark' && dark), ...(isPhone && phone), motion },
})`
}

// Modules of Ant Design that make styles, and what is left of them.
const replaced: Record<string, (code: string) => string> = {
  // Every component's hook: the names of two classes.
  'theme/util/genStyleUtils.js': (code) => `
export const genStyleHooks = () => () => ['${MARK}', '']
export const genComponentStyleHook = () => () => '${MARK}'
export const genSubStyleComponent = () => () => null
${code.slice(code.indexOf('export const genCssVar'))}`,
  'theme/useToken.js': () => `
import { useContext } from 'react'
import { DesignTokenContext } from './context'
export default function useToken() {
  const { token } = useContext(DesignTokenContext)
  return [undefined, token, '${MARK}', token, undefined, true]
}`,
  'theme/util/useResetIconStyle.js': () => 'export default () => undefined',
  'theme/themes/default/theme.js': () => 'export default undefined',
}

const GENERATORS = new Set(['genStyleHooks', 'genComponentStyleHook', 'genSubStyleComponent'])

function generatorsIn(part: Syntax): Syntax[] {
  if (part.type === 'CallExpression' && GENERATORS.has(part.callee?.name ?? '')) return [part]
  return Object.values(part).flat().filter(isSyntax).flatMap(generatorsIn)
}

/** Leaves of a call that makes styles only whose they are: what only the rest used is then left out. */
function withoutStyles(code: string, program: Syntax): string {
  const calls = generatorsIn(program)
  const pure = calls.reduceRight((text, { start, arguments: [first, ...rest] = [] }) => {
    const last = rest.at(-1)
    const short = first && last ? text.slice(0, first.end) + text.slice(last.end) : text
    return `${short.slice(0, start)}/*#__PURE__*/ ${short.slice(start)}`
  }, code)
  return pure.replaceAll('= new Keyframes(', '= /*#__PURE__*/ new Keyframes(')
}

/** The files of Ant Design of which something is in the pages. */
function filesIn(bundle: Rolldown.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
  return modules.filter(([id, { renderedLength }]) => id.includes(ANTD) && renderedLength > 0).map(([id]) => id)
}

const linkTo = (href: string): HtmlTagDescriptor[] => [
  { tag: 'link', attrs: { rel: 'stylesheet', crossorigin: true, href }, injectTo: 'head-prepend' },
]

/** In development Ant Design runs as it is, in its zero-runtime mode, with the style sheet as it is now. */
function antdInDevelopment(): Plugin {
  const path = '/antd.css'
  return {
    name: 'antd-in-development',
    apply: 'serve',
    async configureServer(server) {
      const { antdStyles } = await loadStyles()
      server.middlewares.use(path, (_request, response) => {
        response.setHeader('Content-Type', 'text/css').end(antdStyles().sheet)
      })
    },
    transformIndexHtml: (_html, { path: page }) => (page === '/index.html' ? linkTo(path) : []),
  }
}

async function builtSheet() {
  const { antdStyles, tokenReaders } = await loadStyles()
  const { sheet, hash, components } = antdStyles()
  const source = sheet.replaceAll(hash, MARK)
  const version = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  return { source, fileName: `assets/antd-${version}.css`, components, tokenReaders }
}

/**
 * Ant Design without its styles in scripts: the console loads them as a style sheet. Its zero-runtime mode alone still
 * loads all code that generates styles, and computes their variables in the browser.
 */
function antdInBuild(): Plugin {
  let made: ReturnType<typeof builtSheet> | undefined
  const sheet = () => (made ??= builtSheet())
  /** Whose styles the modules make. */
  const owners = new Map<string, string>()
  const readers = new Set<string>()
  return {
    name: 'antd-in-build',
    apply: 'build',
    load: (id) => (id === THEME ? builtTheme() : null),
    transform(code, id) {
      const [, name] = id.split(ANTD)
      if (!name) return null
      const replace = replaced[name]
      if (replace) return replace(code)
      if (/\buseToken\(/.test(code)) readers.add(id)
      const [, owner] = /gen(?:StyleHooks|ComponentStyleHook|SubStyleComponent)\((\[.*?\]|'\w+')/.exec(code) ?? []
      if (!owner) return null
      const [first = '', second = first] = owner.replaceAll(/[[\]' ]/g, '').split(',')
      owners.set(id, `${first}-${second}`)
      return withoutStyles(code, this.parse(code))
    },
    transformIndexHtml: async (_html, { path }) =>
      path === '/index.html' ? linkTo(`/${(await sheet()).fileName}`) : [],
    async generateBundle(_options, bundle) {
      const { source, fileName, components, tokenReaders } = await sheet()
      this.emitFile({ type: 'asset', fileName, source })
      for (const id of filesIn(bundle)) {
        const owner = owners.get(id)
        if (owner && !components.has(owner) && !NEVER_SHOWN.has(owner))
          this.error(`The styles of ${owner} are not built: add a sample of it to vite-antd-styles.tsx.`)
        const [, name = ''] = id.split(ANTD)
        if (readers.has(id) && !tokenReaders.has(name))
          this.error(`${name} reads the theme: name what it reads in vite-antd-styles.tsx.`)
      }
    },
  }
}

export const antdAtBuildTime = (): Plugin[] => [antdInDevelopment(), antdInBuild()]
