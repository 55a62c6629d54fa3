import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_BASE } from '@roadshow/contract'
import { afterAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const web = fileURLToPath(new URL('../../../../web/', import.meta.url))
const entries = ['index.html', 'sign-in.html', 'pop.html', 'campaign.html', 'proposal.html', 'driver.html']

/** The pages as they are written; a build only adds addresses of scripts to them. */
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-pages-'))
await mkdir(path.join(folder, 'assets'))
for (const name of entries) await writeFile(path.join(folder, name), await readFile(path.join(web, name)))
await writeFile(path.join(folder, 'offline.html'), await readFile(path.join(web, 'public', 'offline.html')))
await mkdir(path.join(folder, 'driver'))
const manifest = path.join('driver', 'manifest.webmanifest')
await writeFile(path.join(folder, manifest), await readFile(path.join(web, 'public', manifest)))
afterAll(() => rm(folder, { recursive: true }))

async function appAt(publicUrl: string) {
  const env = { brandName: 'R', publicUrl, logLevel: 'silent', trustProxy: 0, checkReplies: true }
  const tiles = { url: 'https://{s}.tiles.example.com/{z}/{x}/{y}.png', attribution: '' }
  const app = await buildApp({
    db: world.db,
    blobs: world.app.blobs,
    mailer: { send: async () => {} },
    pages: folder,
    env: {
      ...env,
      tiles,
    },
  })
  afterAll(() => app.close())
  return app
}

const app = await appAt('https://console.example.com')
const pages = [
  '/',
  '/trucks',
  '/login',
  '/forgot-password',
  '/unauthorized',
  '/pop/nothing',
  '/nothing',
  `${API_BASE}/docs`,
]

/** The sources of each directive. */
const policyOf = (header: unknown) =>
  new Map(
    String(header)
      .split('; ')
      .map((rule) => [rule.split(' ')[0] ?? '', rule.split(' ').slice(1)]),
  )

describe('every page', () => {
  test.each(pages)('%s lets in no script but ours, and no one frame or follow it', async (url) => {
    const { headers, body } = await app.inject({ url, headers: { accept: 'text/html' } })
    const policy = policyOf(headers['content-security-policy'])
    expect(policy.get('default-src')).toEqual(["'self'"])
    expect(policy.get('script-src')).toEqual(["'self'"])
    expect(policy.get('script-src-attr')).toEqual(["'none'"])
    for (const directive of ['object-src', 'frame-ancestors']) expect(policy.get(directive)).toEqual(["'none'"])
    for (const directive of ['base-uri', 'form-action']) expect(policy.get(directive)).toEqual(["'self'"])
    expect(policy.get('connect-src')).toEqual(["'self'", 'wss://console.example.com'])
    expect(policy.get('img-src')).toContain('https://*.tiles.example.com')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    })
    for (const feature of ['camera', 'microphone', 'geolocation']) {
      expect(headers['permissions-policy']).toContain(`${feature}=()`)
    }
    // What the policy forbids is not there either.
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|\son\w+=|javascript:/i)
  })

  test.each(entries)('%s has no script, handler or foreign file in it', async (name) => {
    const html = await readFile(path.join(web, name), 'utf8')
    expect(html).not.toMatch(/<script(?![^>]*\bsrc="\/)|\son\w+=|javascript:|(src|href)="(https?:)?\/\//i)
  })
})

test('only the player may ask for the position, and for the bridge to the receiver beside it', async () => {
  for (const url of ['/player', '/player/', '/player?self-test']) {
    const { headers } = await app.inject(url)
    expect(headers['permissions-policy'], url).toContain('geolocation=(self)')
    expect(headers['permissions-policy'], url).toContain('camera=()')
    const sources = policyOf(headers['content-security-policy']).get('connect-src')
    expect(sources, url).toEqual(["'self'", 'wss://console.example.com', 'ws://127.0.0.1:2948'])
  }
  const { headers } = await app.inject('/players')
  expect(headers['permissions-policy']).toContain('geolocation=()')
})

test('only the drivers’ app may ask for the camera, and for the position to go with a picture', async () => {
  for (const url of ['/driver', '/driver/', '/driver/photos', '/driver?x']) {
    const { headers, body } = await app.inject(url)
    const granted = String(headers['permissions-policy']).match(/\w+(?==\(self\))/g)
    expect(granted, url).toEqual(['camera', 'geolocation'])
    const policy = policyOf(headers['content-security-policy'])
    expect([policy.get('script-src'), policy.get('connect-src')], url).toEqual([
      ["'self'"],
      ["'self'", 'wss://console.example.com'],
    ])
    expect(body).not.toMatch(/%[A-Z_]+%/)
  }
  const { headers } = await app.inject('/drivers')
  expect(headers['permissions-policy']).toContain('camera=()')
})

test('sockets go to where the console is reached', async () => {
  const plain = await appAt('http://localhost:3000')
  const { headers } = await plain.inject('/login')
  expect(policyOf(headers['content-security-policy']).get('connect-src')).toEqual(["'self'", 'ws://localhost:3000'])
})
