import { checkFacts, damaged, headerLimits, incomplete, noPictureTrack } from './video-header.js'

const MAX_HEADER = 2 * 1024 * 1024
const [SEGMENT, INFO, TRACKS, TRACK, VIDEO] = [0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0]
const [TIME_SCALE, DURATION, TRACK_TYPE, WIDTH, HEIGHT] = [0x2ad7b1, 0x4489, 0x83, 0xb0, 0xba]
const PICTURE = 1

/**
 * A number in EBML: the first byte says how many more follow.
 * @param {Buffer} buffer
 * @param {number} at
 * @param {boolean} keepMark
 */
function vint(buffer, at, keepMark) {
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

/**
 * An element; its length as stored, Infinity if the writer did not know it.
 * @typedef {{ id: number, length: number, start: number, content: Buffer }} Element
 */

/**
 * The elements inside an element, one by one.
 * @param {Buffer} buffer
 * @param {() => void} countPart
 * @returns {Generator<Element>}
 */
function* elementsIn(buffer, countPart) {
  for (let at = 0; at < buffer.length;) {
    const id = vint(buffer, at, true)
    const length = id && vint(buffer, at + id.length, false)
    if (!id || !length) return
    countPart()
    const start = at + id.length + length.length
    const content = buffer.subarray(start, Math.min(start + length.value, buffer.length))
    yield { id: id.value, length: length.value, start, content }
    at = start + length.value
  }
}

const numberIn = (/** @type {Buffer | undefined} */ content) =>
  content && content.length >= 1 && content.length <= 6 ? content.readUIntBE(0, content.length) : undefined

const floatIn = (/** @type {Buffer | undefined} */ content) =>
  content?.length === 8 ? content.readDoubleBE(0) : content?.length === 4 ? content.readFloatBE(0) : undefined

/**
 * Reads the header of a WebM file, which is in front of its pictures.
 * @param {import('./video-header.js').ReadAt} readAt
 * @param {number} size
 * @returns {Promise<import('./video-header.js').VideoFacts>}
 */
export async function readWebm(readAt, size) {
  const { countPart, countTrack } = headerLimits()
  /** @type {(buffer: Buffer | undefined, id: number) => Element | undefined} */
  const find = (buffer, id) => {
    for (const element of elementsIn(buffer ?? Buffer.alloc(0), countPart)) if (element.id === id) return element
    return undefined
  }
  /** @type {(tracks: Buffer | undefined) => Buffer | undefined} */
  const pictureTrack = (tracks) => {
    for (const { id, content } of elementsIn(tracks ?? Buffer.alloc(0), countPart)) {
      if (id !== TRACK) continue
      countTrack()
      if (numberIn(find(content, TRACK_TYPE)?.content) === PICTURE) return content
    }
    return undefined
  }
  const segment = find(await readAt(0, Math.min(size, MAX_HEADER)), SEGMENT)
  if (!segment) throw damaged()
  if (Number.isFinite(segment.length) && segment.start + segment.length > size) throw incomplete()
  const track = pictureTrack(find(segment.content, TRACKS)?.content)
  if (!track) throw noPictureTrack()
  const video = find(track, VIDEO)?.content
  const [width, height] = [numberIn(find(video, WIDTH)?.content), numberIn(find(video, HEIGHT)?.content)]
  const info = find(segment.content, INFO)?.content
  const ticks = floatIn(find(info, DURATION)?.content)
  const scale = numberIn(find(info, TIME_SCALE)?.content) ?? 1_000_000
  return checkFacts({
    ...(width && height && { width, height }),
    ...(ticks !== undefined && ticks > 0 && { durationMs: Math.round((ticks * scale) / 1_000_000) }),
  })
}
