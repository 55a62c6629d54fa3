const EXTENT = 4096
const NO_COMPRESSION = 1
const POLYGON = 3
const VECTOR_TILES = 1

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))]
const zigzag = (value: number): number => (value < 0 ? -2 * value - 1 : 2 * value)
const field = (id: number, bytes: number[]) => [...varint(id * 8 + 2), ...varint(bytes.length), ...bytes]
const number = (id: number, value: number) => [...varint(id * 8), ...varint(value)]

/** Half of a tile from this column on, as a vector tile draws it: go to a point, three lines, close. */
const half = (left: number): number[] =>
  [9, zigzag(left), 0, 26, zigzag(EXTENT / 2), 0, 0, zigzag(EXTENT), zigzag(-EXTENT / 2), 0, 15].flatMap(varint)

const layer = (name: string, kind: string, left: number) =>
  field(3, [
    ...number(15, 2),
    ...field(1, [...Buffer.from(name)]),
    ...field(2, [...field(2, [0, 0]), ...number(3, POLYGON), ...field(4, half(left))]),
    ...field(3, [...Buffer.from('kind')]),
    ...field(4, field(1, [...Buffer.from(kind)])),
    ...number(5, EXTENT),
  ])

export interface MapFileWish {
  bounds?: readonly [west: number, south: number, east: number, north: number]
  /** As PMTiles counts them: 1 is vector tiles, 2 PNG pictures. */
  tileType?: number
}

/** A PMTiles file of the world down to zoom 1, in which every tile is land in its left half and water in its right one. */
export function mapFile({ bounds = [-180, -85, 180, 85], tileType = VECTOR_TILES }: MapFileWish = {}): Buffer {
  const tile = Buffer.from([...layer('earth', 'earth', 0), ...layer('water', 'water', EXTENT / 2)])
  // One entry for the five tiles of both zooms, which are alike.
  const directory = Buffer.from([1, 0, 5, tile.length, 1].flatMap(varint))
  const metadata = Buffer.from('{}')
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  const parts = [directory.length, metadata.length, 0, tile.length]
  let offset = header.length
  for (const [at, length] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16)
    offset += length
  }
  for (const [at, count] of [5, 1, 1].entries()) header.writeBigUInt64LE(BigInt(count), 72 + at * 8)
  header.set([1, NO_COMPRESSION, NO_COMPRESSION, tileType, 0, 1], 96)
  for (const [at, degrees] of bounds.entries()) header.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4)
  return Buffer.concat([header, directory, metadata, tile])
}
