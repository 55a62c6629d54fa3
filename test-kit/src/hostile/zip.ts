import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  name: string
  content: Buffer
  /** The size that the archive claims instead of the true one. */
  claimed?: number
}

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const DEFLATED = 8

/** An archive, honest or not about the sizes of its parts. */
export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let at = 0
  for (const { name, content, claimed = content.length } of parts) {
    const packed = deflateRawSync(content, { level: 1 })
    // What both headers have alike: version, flags, method, time, hash and sizes.
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(DEFLATED, 4)
    common.writeUInt32LE(crc32(content), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(claimed, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.alloc(4)
    local.writeUInt32LE(LOCAL)
    const central = Buffer.alloc(6)
    central.writeUInt32LE(CENTRAL)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    locals.push(local, common, Buffer.from(name), packed)
    centrals.push(central, common, place, Buffer.from(name))
    at += local.length + common.length + name.length + packed.length
  }
  const list = Buffer.concat(centrals)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END)
  end.writeUInt16LE(parts.length, 8)
  end.writeUInt16LE(parts.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...locals, list, end])
}
