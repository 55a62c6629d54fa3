import { readdirSync, realpathSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, watch } from 'rolldown'
import { root } from './run.mjs'

/** Packages of many small files, which Node would look for one by one. All others stay packages: some bring binaries. */
const PACKAGES = ['csv-stringify', 'jose', 'kysely', 'oauth4webapi', 'openid-client', 'zod']

const isOf = (/** @type {string} */ id) =>
  id.startsWith('@roadshow/') || PACKAGES.some((name) => id === name || id.startsWith(`${name}/`))
const isFile = (/** @type {string} */ id) => id.startsWith('.') || path.isAbsolute(id)
/** Functions that the bundler adds itself. */
const isHelper = (/** @type {string} */ id) => id.includes('@oxc-project')

/** A file that looks for others beside itself finds them beside its source. @param {string} folder of the bundle */
const ownUrls = (folder) => ({
  name: 'own-urls',
  transform(/** @type {string} */ code, /** @type {string} */ id) {
    if (id.includes('node_modules') || !code.includes('import.meta.url')) return null
    const file = path.relative(folder, id).replaceAll(path.sep, '/')
    return { code: code.replaceAll('import.meta.url', `new URL(${JSON.stringify(file)}, import.meta.url).href`) }
  },
})

/**
 * How sources, and what they import, are joined into a few files. Types are dropped, not checked.
 * @param {Record<string, string>} input file by the name of its bundle
 * @param {string} folder
 * @returns {import('rolldown').RolldownOptions & { output: import('rolldown').OutputOptions }}
 */
const optionsOf = (input, folder) => ({
  input,
  platform: 'node',
  // Workspaces are read from their sources.
  resolve: { conditionNames: ['source', 'node'] },
  transform: { target: 'node20.19' },
  external: (id) => !(isFile(id) || isOf(id) || isHelper(id)),
  plugins: [ownUrls(folder)],
  logLevel: 'warn',
  output: { dir: folder, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
})

/** @param {Record<string, string>} input @param {string} folder */
async function bundleInto(input, folder) {
  const { output, ...options } = optionsOf(input, folder)
  const bundle = await rolldown(options)
  rmSync(folder, { recursive: true, force: true })
  await bundle.write(output)
  await bundle.close()
}

const api = realpathSync(path.join(root, 'api'))

/** The server, each command of `api/src/cli`, and the simulator as a program that puts a load on a server. */
function serverInput() {
  const commands = readdirSync(path.join(api, 'src/cli')).filter((file) => file !== 'command.ts')
  return {
    main: path.join(api, 'src/main.ts'),
    simulator: path.join(api, '../simulator/src/main.ts'),
    ...Object.fromEntries(commands.map((file) => [path.basename(file, '.ts'), path.join(api, 'src/cli', file)])),
  }
}

const SERVER = path.join(api, 'dist/bundled')

/** Joins the server into a few files, which start in half the time: it has some 1,200 of its own. */
const bundleServer = () => bundleInto(serverInput(), SERVER)

/** Joins the server now and after every change of a source; settles with its entry once that is there. @returns {Promise<string>} */
export const watchServer = () =>
  new Promise((resolve) => {
    watch(optionsOf(serverInput(), SERVER)).on('event', async (event) => {
      if (event.code === 'ERROR') console.error(event.error.message)
      if (event.code === 'ERROR' || event.code === 'BUNDLE_END') await event.result.close()
      if (event.code === 'BUNDLE_END') resolve(path.join(SERVER, 'main.js'))
    })
  })

/** Programs that tests start beside themselves, some of them many times. */
const TEST_PROGRAMS = [
  'api/src/live/players/test-node.ts',
  'api/src/live/plays/archive/test-archiver.ts',
  'api/src/live/telemetry/test-poller.ts',
  'api/src/planning/shifts/test-race-worker.ts',
  'api/src/platform/db/embedded/test-writer.ts',
  'api/src/platform/observability/test-stray-errors.ts',
  'docs/devices/player.ts',
]

/** Joins each program of the tests with the server; not beside it, where it would be shipped. */
async function bundleTestPrograms() {
  const input = TEST_PROGRAMS.map((file) => [path.basename(file, '.ts'), path.join(api, '..', file)])
  await bundleInto(Object.fromEntries(input), path.join(api, '.cache/test-programs'))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleServer()
  if (process.argv[2] === 'tests') await bundleTestPrograms()
}
