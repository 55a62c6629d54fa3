import { fileRefusal } from './picture.ts'

/** The facts in a video's header; undefined if it does not have them. */
interface VideoFacts {
  width?: number
  height?: number
  durationMs?: number
}

/** Reads bytes of a file; fewer at its end. */
type ReadAt = (start: number, length: number) => Promise<Buffer>

const INCOMPLETE = 'This video is incomplete. Please upload it again.'
const MAX_HEADER = 32 * 1024 * 1024
// A file of many small fragments has its header in front, so reading all of them is useless.
const MAX_BOXES = 64

/** The boxes inside a box of an MP4 file. */
function* boxes(buffer: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at + 8 <= buffer.length;) {
    const length = buffer.readUInt32BE(at)
    if (length < 8 || at + length > buffer.length) return
    yield { type: buffer.toString('latin1', at + 4, at + 8), content: buffer.subarray(at + 8, at + length) }
    at += length
  }
}

const boxOf = (buffer: Buffer, ...path: string[]): Buffer | undefined =>
  path.reduce<Buffer | undefined>(
    (inside, type) => inside && [...boxes(inside)].find((box) => box.type === type)?.content,
    buffer,
  )

async function findMoov(readAt: ReadAt, size: number): Promise<Buffer | undefined> {
  let moov: Buffer | undefined
  for (let at = 0, count = 0; at < size && count < MAX_BOXES; count++) {
    const head = await readAt(at, 16)
    if (head.length < 8) throw fileRefusal(INCOMPLETE)
    const short = head.readUInt32BE(0)
    const isLong = short === 1 && head.length === 16
    const header = isLong ? 16 : 8
    const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? size - at : short
    if (length < header) throw fileRefusal('This video is damaged. Please export it again.')
    if (at + length > size) throw fileRefusal(INCOMPLETE)
    if (head.toString('latin1', 4, 8) === 'moov' && length <= MAX_HEADER) {
      moov = await readAt(at + header, length - header)
    }
    at += length
  }
  return moov
}

function durationOf(moov: Buffer): number | undefined {
  const header = boxOf(moov, 'mvhd')
  if (!header || header.length < 32) return undefined
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && length > 0 ? Math.round((length / scale) * 1000) : undefined
}

/** Width and height of a track as shown: a phone held upright films sideways and rotates the track. */
function sizeOf(trackHeader: Buffer | undefined) {
  const matrix = trackHeader?.[0] === 1 ? 52 : 40
  if (!trackHeader || trackHeader.length < matrix + 44) return {}
  const isTurned = trackHeader.readInt32BE(matrix) === 0 && trackHeader.readInt32BE(matrix + 4) !== 0
  const [width, height] = [trackHeader.readUInt32BE(matrix + 36) >>> 16, trackHeader.readUInt32BE(matrix + 40) >>> 16]
  if (width === 0 || height === 0) return {}
  return isTurned ? { width: height, height: width } : { width, height }
}

/** Reads the header of an MP4 file (ISO 14496-12). */
export async function readMp4(readAt: ReadAt, size: number): Promise<VideoFacts> {
  const moov = await findMoov(readAt, size)
  if (!moov) throw fileRefusal('This video is incomplete: it has no header. Please export it again.')
  const isPicture = (track: Buffer) => boxOf(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12) === 'vide'
  const track = [...boxes(moov)].find(({ type, content }) => type === 'trak' && isPicture(content))
  if (!track) throw fileRefusal('This video has no picture track.')
  const durationMs = durationOf(moov)
  return { ...sizeOf(boxOf(track.content, 'tkhd')), ...(durationMs !== undefined && { durationMs }) }
}

const WEBM_HEADER = 2 * 1024 * 1024
const [SEGMENT, INFO, TRACKS, TRACK, VIDEO] = [0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0]
const [TIME_SCALE, DURATION, TRACK_TYPE, WIDTH, HEIGHT] = [0x2ad7b1, 0x4489, 0x83, 0xb0, 0xba]

/** A number in EBML: the first byte says how many more follow. */
function vint(buffer: Buffer, at: number, keepMark: boolean): { value: number; length: number } | undefined {
  const first = buffer[at]
  if (!first) return undefined
  const length = Math.clz32(first) - 23
  if (at + length > buffer.length) return undefined
  let value = keepMark ? first : first & (0xff >> length)
  let isOpen = (first & (0xff >> length)) === 0xff >> length
  for (let next = 1; next < length; next++) {
    const byte = buffer[at + next] ?? 0
    if (byte !== 0xff) isOpen = false
    value = value * 256 + byte
  }
  return { value: !keepMark && isOpen ? Infinity : value, length }
}

interface Element {
  id: number
  /** As stored; Infinity if the writer did not know it. */
  length: number
  start: number
  content: Buffer
}

function* elements(buffer: Buffer): Generator<Element> {
  for (let at = 0; at < buffer.length;) {
    const id = vint(buffer, at, true)
    const length = id && vint(buffer, at + id.length, false)
    if (!id || !length) return
    const start = at + id.length + length.length
    yield {
      id: id.value,
      length: length.value,
      start,
      content: buffer.subarray(start, Math.min(start + length.value, buffer.length)),
    }
    at = start + length.value
  }
}

const elementOf = (buffer: Buffer | undefined, id: number) =>
  buffer && [...elements(buffer)].find((element) => element.id === id)?.content

const numberIn = (content: Buffer | undefined) =>
  content && content.length >= 1 && content.length <= 6 ? content.readUIntBE(0, content.length) : undefined

const floatIn = (content: Buffer | undefined) =>
  content?.length === 8 ? content.readDoubleBE(0) : content?.length === 4 ? content.readFloatBE(0) : undefined

export async function readWebm(readAt: ReadAt, size: number): Promise<VideoFacts> {
  const head = await readAt(0, Math.min(size, WEBM_HEADER))
  const segment = [...elements(head)].find(({ id }) => id === SEGMENT)
  if (!segment) throw fileRefusal('This video is damaged. Please export it again.')
  if (Number.isFinite(segment.length) && segment.start + segment.length > size) throw fileRefusal(INCOMPLETE)
  const tracks = elementOf(segment.content, TRACKS)
  const track =
    tracks &&
    [...elements(tracks)].find(({ id, content }) => id === TRACK && numberIn(elementOf(content, TRACK_TYPE)) === 1)
  if (tracks && !track) throw fileRefusal('This video has no picture track.')
  const video = elementOf(track?.content, VIDEO)
  const [width, height] = [numberIn(elementOf(video, WIDTH)), numberIn(elementOf(video, HEIGHT))]
  const info = elementOf(segment.content, INFO)
  const ticks = floatIn(elementOf(info, DURATION))
  const scale = numberIn(elementOf(info, TIME_SCALE)) ?? 1_000_000
  return {
    ...(width && height && { width, height }),
    ...(ticks !== undefined && ticks > 0 && { durationMs: Math.round((ticks * scale) / 1_000_000) }),
  }
}
