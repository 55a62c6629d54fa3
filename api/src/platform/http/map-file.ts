import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { StartError } from '../runtime/start-error.ts'
import type { App } from './app.ts'

/** What a map in the browser knows of the streets it draws. */
export interface TileSettings {
  /** A template with {z}, {x} and {y}, or the address of a file with all tiles. */
  url: string
  attribution: string
  /** Of a file: its most detailed zoom, and its west, south, east and north in degrees. */
  area?: { maxZoom: number; bounds: readonly number[] }
}

const HEADER_BYTES = 127
/** The header and the first directory lie within it. */
const ROOT_BYTES = 16_384
const VECTOR_TILES = 1

/** Reads the header of a PMTiles file of version 3 and says where the server will offer it. */
export async function readMapFile(file: string, attribution: string): Promise<TileSettings> {
  const { size, start } = await readStart(file)
  const isPmtiles = size >= HEADER_BYTES && start.toString('latin1', 0, 7) === 'PMTiles' && start[7] === 3
  if (!isPmtiles) throw new StartError(`The setting MAP_FILE names ${file}, which is not a PMTiles file of version 3.`)
  if (start[99] !== VECTOR_TILES)
    throw new StartError(`The setting MAP_FILE names ${file}, which holds pictures; maps need vector tiles.`)
  // Alike on every node that has the same file, whenever it was copied there.
  const version = createHash('sha256').update(start).update(String(size)).digest('hex').slice(0, 16)
  const degrees = (offset: number) => start.readInt32LE(offset) / 1e7
  return {
    url: `/map/${version}.pmtiles`,
    attribution,
    area: { maxZoom: start.readUInt8(101), bounds: [102, 106, 110, 114].map(degrees) },
  }
}

async function readStart(file: string): Promise<{ size: number; start: Buffer }> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new StartError(`The setting MAP_FILE names ${file}, which cannot be read (${error.code}).`)
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new StartError(`The setting MAP_FILE names ${file}, which is not a file.`)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ROOT_BYTES), 0, ROOT_BYTES, 0)
    return { size: stats.size, start: buffer.subarray(0, bytesRead) }
  } finally {
    await handle.close()
  }
}

/** Offers the file to everybody, by ranges: its streets are no secret, and public pages draw them too. */
export async function serveMapFile(app: App, file: string, { url }: TileSettings): Promise<void> {
  await app.register(async (files) => {
    await files.register(fastifyStatic, { root: path.dirname(file), serve: false })
    files.get(url, (_request, reply) =>
      reply
        .type('application/vnd.pmtiles')
        .sendFile(path.basename(file), { maxAge: '365d', immutable: true, contentType: false }),
    )
  })
}
