import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { files, settings } from '@roadshow/contract'
import { aPicture } from '@roadshow/test-kit/media'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { applyBrand } from './brand.ts'

// Two nodes with pages of their own on one database.

const world = await openWorld()
const { call, db } = world
const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-brand-'))
for (const name of ['index', 'sign-in', 'pop', 'campaign', 'proposal', 'driver', 'offline'])
  await writeFile(path.join(folder, `${name}.html`), '<b>%BRAND_NAME%</b><i>%BRAND_COLOR%</i><img src="%BRAND_LOGO%">')
await mkdir(path.join(folder, 'driver'))
await writeFile(path.join(folder, 'driver', 'manifest.webmanifest'), '{"name":"%BRAND_NAME%"}')

// A word that stands in no page by itself.
const START = 'Bramblewood'

async function startNode() {
  const env = {
    brandName: START,
    publicUrl: 'http://localhost',
    logLevel: 'silent',
    trustProxy: 0,
    checkReplies: true,
  }
  const app = await buildApp({ db, blobs: world.app.blobs, mailer: { send: async () => {} }, pages: folder, env })
  const page = async (url: string) => (await app.inject(url)).body
  return { app, env, page }
}
const nodes = [await startNode(), await startNode()] as const
afterAll(async () => {
  for (const { app } of nodes) await app.close()
  await rm(folder, { recursive: true })
})

const PAGES = ['/', '/login', '/driver', '/offline.html', '/driver/manifest.webmanifest', '/api/v1/docs']

async function uploadLogo(name: string, contentType: string, content: Buffer) {
  const announced = await call(files.getUploadSas, {
    body: { purpose: 'logo', name, contentType, size: content.length } as never,
  })
  if (announced.status !== 200) return announced
  const { fileUid, url } = announced.body.data
  await world.app.inject({
    method: 'PUT',
    url,
    payload: content,
    headers: { 'content-type': 'application/octet-stream' },
  })
  return { ...(await call(files.complete, { body: { fileUid } })), fileUid }
}

async function change(values: object) {
  const { version, values: current } = (await call(settings.get, {})).body.data
  return call(settings.update, { body: { ...current, ...values, version } })
}

test('every page of every node shows the company’s name, color and logo, also to people who are not signed in', async () => {
  for (const { page } of nodes) for (const url of PAGES) expect(await page(url)).toContain(START)
  const logo = await uploadLogo('logo.png', 'image/png', await aPicture('png'))
  const fileUid = 'fileUid' in logo ? logo.fileUid : ''
  const changed = { companyName: 'Wheels & <Ads>', companyColor: '#1f6fb2', companyLogoUid: fileUid }
  expect((await change(changed)).status).toBe(200)
  for (const { env, page, app } of nodes) {
    // The job that the change wakes on every node.
    await applyBrand(db, env)
    for (const url of PAGES) expect(await page(url), url).not.toContain(START)
    expect(await page('/driver/manifest.webmanifest')).toBe('{"name":"Wheels & <Ads>"}')
    for (const url of ['/', '/login', '/driver', '/offline.html']) {
      const html = await page(url)
      expect(html).toContain('<b>Wheels &amp; &lt;Ads&gt;</b><i>#1F6FB2</i>')
      const source = (/src="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')
      const { statusCode, headers } = await app.inject(source)
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/png'])
    }
  }
  await change({ companyName: null, companyColor: null, companyLogoUid: null })
  for (const { env, page } of nodes) {
    await applyBrand(db, env)
    expect(await page('/login')).toBe(`<b>${START}</b><i></i><img src="">`)
  }
})

test('a logo is a picture: a drawing with a script is refused under its own name and under that of a picture', async () => {
  const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  for (const [name, type] of [
    ['logo.svg', 'image/svg+xml'],
    ['logo.png', 'image/png'],
  ] as const) {
    const { status, error } = await uploadLogo(name, type, drawing)
    expect(status, name).toBeGreaterThanOrEqual(400)
    expect(error.code).toBeDefined()
  }
})
