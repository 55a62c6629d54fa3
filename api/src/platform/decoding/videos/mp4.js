import { Refusal } from '../refusal.js'
import { checkFacts, damaged, headerLimits, incomplete, noPictureTrack } from './video-header.js'

/** @typedef {import('./video-header.js').ReadAt} ReadAt */
/** A box: its type, and where its content begins and ends. @typedef {{ type: string, start: number, end: number }} Box */

const LONG_HEADER = 16
const SHORT_HEADER = 8
// A file of many small fragments has its header in front, so reading all of them is useless.
const MAX_TOP_BOXES = 64
// The headers of a movie and of a track, of which only the beginnings matter.
const MAX_FACTS = 256

/**
 * The box that begins at a place. Only its header is read.
 * @param {ReadAt} readAt
 * @param {number} at
 * @param {number} end of what holds the box
 * @returns {Promise<{ box: Box, isLengthSound: boolean } | undefined>} undefined where there is no place for one
 */
async function boxAt(readAt, at, end) {
  const head = await readAt(at, Math.min(LONG_HEADER, end - at))
  if (head.length < SHORT_HEADER) return undefined
  const short = head.readUInt32BE(0)
  const isLong = short === 1 && head.length === LONG_HEADER
  const header = isLong ? LONG_HEADER : SHORT_HEADER
  const length = isLong ? Number(head.readBigUInt64BE(8)) : short === 0 ? end - at : short
  const box = { type: head.toString('latin1', 4, 8), start: at + header, end: at + length }
  return { box, isLengthSound: length >= header }
}

/**
 * The boxes inside a box, up to the first one that is no box.
 * @param {ReadAt} readAt
 * @param {Box} outer
 * @param {() => void} countPart
 */
async function* boxesIn(readAt, { start, end }, countPart) {
  for (let at = start; at + SHORT_HEADER <= end;) {
    const found = await boxAt(readAt, at, end)
    if (!found?.isLengthSound || found.box.end > end) return
    countPart()
    yield found.box
    at = found.box.end
  }
}

/**
 * @param {ReadAt} readAt
 * @param {number} size
 */
async function findMovie(readAt, size) {
  /** @type {Box | undefined} */
  let movie
  for (let at = 0, count = 0; at < size && count < MAX_TOP_BOXES; count++) {
    const found = await boxAt(readAt, at, size)
    if (!found) throw incomplete()
    if (!found.isLengthSound) throw damaged()
    if (found.box.end > size) throw incomplete()
    if (found.box.type === 'moov') movie = found.box
    at = found.box.end
  }
  return movie
}

/**
 * @param {Buffer | undefined} header
 * @returns {number | undefined}
 */
function durationOf(header) {
  if (!header || header.length < 32) return undefined
  const isLong = header[0] === 1
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const length = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale > 0 && length > 0 ? Math.round((length / scale) * 1000) : undefined
}

/**
 * Width and height of a track as shown: a phone held upright films sideways and rotates the track.
 * @param {Buffer | undefined} header
 */
function sizeOf(header) {
  const matrix = header?.[0] === 1 ? 52 : 40
  if (!header || header.length < matrix + 44) return {}
  const isTurned = header.readInt32BE(matrix) === 0 && header.readInt32BE(matrix + 4) !== 0
  const [width, height] = [header.readUInt32BE(matrix + 36) >>> 16, header.readUInt32BE(matrix + 40) >>> 16]
  if (width === 0 || height === 0) return {}
  return isTurned ? { width: height, height: width } : { width, height }
}

/**
 * Reads the header of an MP4 file (ISO 14496-12) box by box: of a box that does not matter only its length is read.
 * @param {ReadAt} readAt
 * @param {number} fileBytes
 * @returns {Promise<import('./video-header.js').VideoFacts>}
 */
export async function readMp4(readAt, fileBytes) {
  const { countPart, countTrack } = headerLimits()
  const contentOf = async (/** @type {Box | undefined} */ box) =>
    box && readAt(box.start, Math.min(box.end - box.start, MAX_FACTS))
  /** @type {(outer: Box, type: string) => Promise<Box | undefined>} */
  const find = async (outer, type) => {
    for await (const box of boxesIn(readAt, outer, countPart)) if (box.type === type) return box
    return undefined
  }
  const isPicture = async (/** @type {Box} */ track) => {
    const media = await find(track, 'mdia')
    const handler = media && (await contentOf(await find(media, 'hdlr')))
    return handler?.toString('latin1', 8, 12) === 'vide'
  }
  const movie = await findMovie(readAt, fileBytes)
  if (!movie) throw new Refusal('This video is incomplete: it has no header. Please export it again.')
  /** @type {Box | undefined} */
  let picture
  /** @type {Buffer | undefined} */
  let header
  for await (const box of boxesIn(readAt, movie, countPart)) {
    if (box.type === 'mvhd') header ??= await contentOf(box)
    if (box.type !== 'trak') continue
    countTrack()
    if (!picture && (await isPicture(box))) picture = box
  }
  if (!picture) throw noPictureTrack()
  const durationMs = durationOf(header)
  const size = sizeOf(await contentOf(await find(picture, 'tkhd')))
  return checkFacts({ ...size, ...(durationMs !== undefined && { durationMs }) })
}
