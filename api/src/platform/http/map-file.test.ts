import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { mapFile } from '@roadshow/test-kit/map-file'
import { openWorld } from '@roadshow/test-kit/world'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { readMapFile } from './map-file.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'roadshow-map-'))
afterAll(() => rm(folder, { recursive: true }))

async function written(name: string, content: Buffer | string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, content)
  return file
}

test('the area and the zoom of a file are read from its header', async () => {
  const file = await written('arizona.pmtiles', mapFile({ bounds: [-114.8, 31.3, -109.05, 37] }))
  const { url, attribution, area } = await readMapFile(file, '© the county')
  expect(url).toMatch(/^\/map\/[\da-f]{16}\.pmtiles$/)
  expect(attribution).toBe('© the county')
  expect(area).toEqual({ maxZoom: 1, bounds: [-114.8, 31.3, -109.05, 37] })
})

test('a copy has the same address, another file another one', async () => {
  const [one, copy, other] = await Promise.all([
    readMapFile(await written('one.pmtiles', mapFile()), ''),
    readMapFile(await written('copy.pmtiles', mapFile()), ''),
    readMapFile(await written('other.pmtiles', mapFile({ bounds: [0, 0, 1, 1] })), ''),
  ])
  expect(copy.url).toBe(one.url)
  expect(other.url).not.toBe(one.url)
})

test('what is no map is refused with the reason', async () => {
  const read = async (file: string) => readMapFile(file, '')
  await expect(read(path.join(folder, 'missing'))).rejects.toThrow(
    /MAP_FILE names .*missing, which cannot be read \(ENOENT\)\./,
  )
  await expect(read(folder)).rejects.toThrow('is not a file.')
  await expect(read(await written('short', 'PMTiles'))).rejects.toThrow('not a PMTiles file of version 3.')
  await expect(read(await written('text', 'x'.repeat(500)))).rejects.toThrow('not a PMTiles file of version 3.')
  await expect(read(await written('pictures', mapFile({ tileType: 2 })))).rejects.toThrow('maps need vector tiles.')
})

test('everybody gets the file by ranges, and no other file of its folder', async () => {
  const world = await openWorld()
  const content = mapFile()
  const file = await written('served.pmtiles', content)
  const tiles = await readMapFile(file, '© the county')
  const env = { brandName: 'R', publicUrl: 'http://localhost', logLevel: 'silent', trustProxy: 0, checkReplies: true }
  const app = await buildApp({
    db: world.db,
    blobs: world.app.blobs,
    mailer: { send: async () => {} },
    env: { ...env, tiles, mapFile: file },
  })
  try {
    const get = (url: string, range?: string) => app.inject({ url, headers: range ? { range } : {} })
    const start = await get(tiles.url, 'bytes=0-126')
    expect(start.statusCode).toBe(206)
    expect(start.rawPayload).toEqual(content.subarray(0, 127))
    expect(start.headers).toMatchObject({
      'content-range': `bytes 0-126/${content.length}`,
      'content-type': 'application/vnd.pmtiles',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect((await get(tiles.url)).rawPayload).toEqual(content)
    // The streets come from this server, so no other is allowed.
    expect(start.headers['content-security-policy']).toContain("img-src 'self' data: blob:;")
    for (const url of ['/map/0000000000000000.pmtiles', '/map/served.pmtiles', '/map/..%2fserved.pmtiles', '/map/'])
      expect((await get(url)).statusCode, url).toBe(404)
  } finally {
    await app.close()
  }
})
