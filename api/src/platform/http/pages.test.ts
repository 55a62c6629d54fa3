import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { API_BASE } from '@roadshow/contract'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { PAGE_HEADERS } from './security-headers.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-pages-'))
for (const name of ['index', 'sign-in', 'pop', 'campaign', 'proposal', 'driver', 'offline'])
  await writeFile(path.join(folder, `${name}.html`), `<p>${name}</p><i>%BRAND_NAME%</i>`)
await mkdir(path.join(folder, 'assets'))
await writeFile(path.join(folder, 'assets', 'main-1a2b3c.js'), 'let a')
await writeFile(path.join(folder, 'assets', 'main-1a2b3c.js.br'), brotliCompressSync('let a'))
await writeFile(path.join(folder, 'assets', 'main-1a2b3c.js.gz'), gzipSync('let a'))
await writeFile(path.join(folder, 'assets', 'Inter-4d5e6f.woff2'), 'font')
await writeFile(path.join(folder, 'favicon.svg'), '<svg/>')
await mkdir(path.join(folder, 'driver'))
await writeFile(path.join(folder, 'driver', 'manifest.webmanifest'), '{"name":"%BRAND_NAME% driver"}')
await writeFile(path.join(folder, 'driver', 'service-worker.js'), 'let d')
const player = await mkdtemp(path.join(os.tmpdir(), 'roadshow-player-'))
await mkdir(path.join(player, 'assets'))
await writeFile(path.join(player, 'index.html'), '<p>player</p><i>%BRAND_NAME%</i>')
await writeFile(path.join(player, 'service-worker.js'), 'let b')
await writeFile(path.join(player, 'service-worker.js.br'), brotliCompressSync('let b'))
await writeFile(path.join(player, 'assets', 'index-1a2b3c.js'), 'let c')
const app = await buildApp({
  db: world.db,
  blobs: world.app.blobs,
  mailer: { send: async () => {} },
  pages: folder,
  playerPages: player,
  env: {
    brandName: 'R',
    publicUrl: 'http://localhost',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
  },
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
  await rm(player, { recursive: true })
})

/** What someone sees who follows a link. */
async function seen(url: string, method: 'GET' | 'POST' = 'GET') {
  const { statusCode, headers, body } = await app.inject({ method, url })
  return { statusCode, type: headers['content-type'], policy: headers['content-security-policy'], body }
}

test('a file whose name carries its hash is kept forever, any other is asked for again', async () => {
  const cacheOf = async (url: string) => {
    const { statusCode, headers } = await app.inject(url)
    return [statusCode, headers['cache-control']]
  }
  expect(await cacheOf('/assets/main-1a2b3c.js')).toEqual([200, 'public, max-age=31536000, immutable'])
  expect(await cacheOf('/assets/other.js')).toEqual([404, 'no-cache'])
  expect(await cacheOf('/favicon.svg')).toEqual([200, 'no-cache'])
  expect(await cacheOf('/login')).toEqual([200, 'no-cache'])
})

test('a script is sent as the build compressed it, in the form that the browser prefers, and kept forever as well', async () => {
  const sent = async (accepted: string) => {
    const { headers, rawPayload } = await app.inject({
      url: '/assets/main-1a2b3c.js',
      headers: { 'accept-encoding': accepted },
    })
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringMatching(/javascript; charset=utf-8$/),
      vary: 'accept-encoding',
    })
    return [headers['content-encoding'], rawPayload] as const
  }
  const [br, brotli] = await sent('gzip, deflate, br, zstd')
  expect([br, brotliDecompressSync(brotli).toString()]).toEqual(['br', 'let a'])
  const [gz, gzip] = await sent('gzip')
  expect([gz, gunzipSync(gzip).toString()]).toEqual(['gzip', 'let a'])
  expect(await sent('identity')).toEqual([undefined, Buffer.from('let a')])
})

test('scripts and fonts come without the headers of pages; pictures, which can be opened as pages, have them', async () => {
  const headersOf = async (url: string) => (await app.inject(url)).headers
  for (const url of ['/assets/main-1a2b3c.js', '/assets/Inter-4d5e6f.woff2']) {
    const headers = await headersOf(url)
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    for (const name of PAGE_HEADERS) expect(headers[name], `${url} ${name}`).toBeUndefined()
  }
  for (const url of ['/favicon.svg', '/assets/other.js', '/']) {
    const headers = await headersOf(url)
    for (const name of PAGE_HEADERS) expect(headers[name], `${url} ${name}`).toBeTypeOf('string')
  }
})

test('the player is a page of its own, with files and a worker of its own', async () => {
  for (const url of ['/player', '/player/', '/player?self-test', '/player/index.html?x']) {
    const body = url.includes('index') ? '<p>index</p><i>R</i>' : '<p>player</p><i>R</i>'
    expect(await seen(url), url).toMatchObject({ statusCode: 200, body })
  }
  expect(await seen('/players')).toMatchObject({ body: '<p>index</p><i>R</i>' })
  for (const accepted of ['br', 'identity']) {
    const worker = await app.inject({
      url: '/player/service-worker.js',
      headers: { 'accept-encoding': accepted },
    })
    expect(worker.headers).toMatchObject({ 'cache-control': 'no-cache', 'service-worker-allowed': '/player' })
  }
  const { headers } = await app.inject('/player/assets/index-1a2b3c.js')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(headers['service-worker-allowed']).toBeUndefined()
  expect((await app.inject('/player/assets/other.js')).statusCode).toBe(404)
})

test('the drivers’ app has one page for all its addresses, a worker and a manifest with the brand', async () => {
  for (const url of ['/driver', '/driver/', '/driver/shifts/1?x', '/driver/photos']) {
    expect(await seen(url), url).toMatchObject({ statusCode: 200, body: '<p>driver</p><i>R</i>' })
  }
  expect(await seen('/drivers')).toMatchObject({ body: '<p>index</p><i>R</i>' })
  const worker = await app.inject('/driver/service-worker.js')
  expect([worker.body, worker.headers]).toEqual([
    'let d',
    expect.objectContaining({ 'cache-control': 'no-cache', 'service-worker-allowed': '/driver' }),
  ])
  expect(await seen('/driver/manifest.webmanifest')).toMatchObject({
    statusCode: 200,
    type: 'application/manifest+json; charset=utf-8',
    body: '{"name":"R driver"}',
  })
})

test('a template is never sent with its placeholders', async () => {
  for (const url of [
    '/index.html',
    '/sign-in.html',
    '/pop.html',
    '/offline.html',
    '/login',
    '/',
    '/assets/../pop.html',
  ]) {
    const { body } = await seen(url)
    expect(body, url).toContain('<i>R</i>')
    expect(body, url).not.toMatch(/%[A-Z_]+%|<p>pop/)
  }
})

test('crawlers may read public pages only, and are asked not to list them', async () => {
  const robots = await readFile(fileURLToPath(new URL('../../../../web/public/robots.txt', import.meta.url)), 'utf8')
  expect(robots).toMatch(/^Allow: \/pop\/$[^]*^Disallow: \/$/m)
  expect((await app.inject('/pop/nothing-there')).headers['x-robots-tag']).toBe('noindex')
  expect((await app.inject(`${API_BASE}/public/pop/x`)).headers['x-robots-tag']).toBe('noindex')
})

const BROKEN = ['%', 'a%zz', '%E0%A4%A', 'a%20b%', '%25%', '%c3%28?token=%', '%#%']

test('a broken link to a public page leads to the page of unknown names', async () => {
  const [nothing, noFile] = [await seen('/pop/nothing-there'), await seen('/assets/nothing-there')]
  expect(nothing.statusCode).toBe(404)
  expect(noFile).toMatchObject({
    statusCode: 404,
    body: expect.stringContaining('The address may be mistyped, or the page may have moved.'),
  })
  for (const name of BROKEN) {
    expect(await seen(`/pop/${name}`), name).toEqual(nothing)
    expect(await seen(`/assets/${name}`), name).toEqual(noFile)
  }
})

test('any other broken link leads to the console, as unknown addresses do', async () => {
  const console = await seen('/nothing-there')
  expect(console).toMatchObject({ statusCode: 200, body: '<p>index</p><i>R</i>' })
  for (const name of BROKEN) {
    for (const folder of ['', 'clients/', 'programs/', 'login']) {
      expect(await seen(`/${folder}${name}`), `/${folder}${name}`).toEqual(console)
    }
  }
  expect(await seen('/login?next=%')).toMatchObject({ statusCode: 200, body: '<p>sign-in</p><i>R</i>' })
})

test('an address that begins with two slashes is one of ours', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  for (const path of ['//', '//nothing-there', '/\\']) {
    const [answer] = (await once(request({ port, path }).end(), 'response')) as [IncomingMessage]
    expect([answer.statusCode, await text(answer)], path).toEqual([200, '<p>index</p><i>R</i>'])
  }
})

test('a call is told as JSON what is wrong with its address', async () => {
  for (const name of BROKEN) {
    const { statusCode, type, body } = await seen(`${API_BASE}/trucks/${name}`)
    expect([statusCode, type], name).toEqual([400, 'application/json; charset=utf-8'])
    expect(JSON.parse(body), name).toMatchObject({ code: 'badRequest' })
  }
  expect(JSON.parse((await seen('/login/%', 'POST')).body)).toMatchObject({ code: 'noSuchCall' })
  // The form of a page with a password: there is no such page, so it leads to the page that says so.
  expect(await seen('/pop/%', 'POST')).toMatchObject({ statusCode: 303, body: '' })
})
