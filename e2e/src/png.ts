import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer) => {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length)
  frame.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)])
}

export type Rgb = readonly [number, number, number]

/** A PNG file whose rows are given as the colors of their pixels. */
export function pngOf(width: number, rows: readonly (readonly Rgb[])[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(rows.length, 4)
  header.set([8, 2], 8)
  const bytes = Buffer.concat(rows.map((row) => Buffer.from([0, ...row.flat()])))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(bytes)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...chunks])
}
