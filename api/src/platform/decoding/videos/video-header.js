import { Refusal } from '../refusal.js'

/**
 * The facts in a video's header; undefined if it does not have them.
 * @typedef {{ width?: number, height?: number, durationMs?: number }} VideoFacts
 */

/** Reads bytes of a file; fewer at its end. @typedef {(start: number, length: number) => Promise<Buffer>} ReadAt */

export const damaged = () => new Refusal('This video is damaged. Please export it again.')
export const incomplete = () => new Refusal('This video is incomplete. Please upload it again.')
export const noPictureTrack = () => new Refusal('This video has no picture track.')

const MAX_PARTS = 1000
const MAX_TRACKS = 64

/** Counts the parts and tracks of a header, which no usual video has many of. */
export function headerLimits() {
  let parts = 0
  let tracks = 0
  return {
    countPart: () => {
      if (++parts > MAX_PARTS)
        throw new Refusal('The header of this video has more than 1,000 parts. Please export it again.')
    },
    countTrack: () => {
      if (++tracks > MAX_TRACKS)
        throw new Refusal(`This video has more than ${MAX_TRACKS} tracks. Please export it with fewer.`)
    },
  }
}

const WINDOW = 64 * 1024

/**
 * Reads small pieces near each other at once.
 * @param {import('../task-file.ts').TaskFile} file
 * @returns {ReadAt}
 */
export function windowOf(file) {
  /** @type {Buffer} */
  let window = Buffer.alloc(0)
  let from = 0
  return async (start, length) => {
    if (start < from || start + length > from + window.length) {
      window = await file.read(start, Math.max(length, WINDOW))
      from = start
    }
    return window.subarray(start - from, start - from + length)
  }
}

const MAX_SIDE = 65_535
const DAY_MS = 24 * 3_600_000

/**
 * Refuses what no video has, however well its header is formed.
 * @param {VideoFacts} facts
 */
export function checkFacts(facts) {
  const { width = 1, height = 1, durationMs = 1 } = facts
  if (Math.max(width, height) > MAX_SIDE)
    throw new Refusal(`The header of this video names a size of ${width} × ${height} pixels. Please export it again.`)
  if (!(durationMs <= DAY_MS)) throw new Refusal('The header of this video names a length of more than a day.')
  return facts
}
