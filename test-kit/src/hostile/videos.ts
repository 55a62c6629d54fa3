import { aMovie, aWebm, box, element } from '../media.ts'
import type { HostileFile } from './files.ts'

type Outcome = NonNullable<HostileFile['outcome']>

let count = 0
const mp4 = (what: string, content: Buffer, outcome?: Outcome): HostileFile => ({
  what: `MP4 ${what}`,
  way: 'artwork',
  name: `video-${++count}.mp4`,
  contentType: 'video/mp4',
  content,
  ...(outcome && { outcome }),
})
const webm = (what: string, content: Buffer, outcome?: Outcome): HostileFile => ({
  ...mp4(what, content, outcome),
  what: `WebM ${what}`,
  name: `video-${++count}.webm`,
  contentType: 'video/webm',
})

const TYPE = box('ftyp', Buffer.from('isom\0\0\0\0isommp42'))
const movieOf = (...inside: Buffer[]) =>
  Buffer.concat([TYPE, box('mdat', Buffer.alloc(500, 7)), box('moov', ...inside)])

/** So many empty boxes, each of eight bytes. */
export function emptyBoxes(many: number): Buffer {
  const all = Buffer.alloc(8 * many)
  const one = box('free')
  for (let at = 0; at < all.length; at += one.length) one.copy(all, at)
  return all
}

const repeated = (content: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => content))

/** A box inside a box inside a box … */
function nested(type: string, depth: number): Buffer {
  const all = Buffer.alloc(8 * depth)
  for (let level = 0; level < depth; level++) {
    all.writeUInt32BE(8 * (depth - level), 8 * level)
    all.write(type, 8 * level + 4, 'latin1')
  }
  return all
}

/** The header of a movie with a scale and a length of 64 bits. */
function longHeader(scale: number, length: bigint): Buffer {
  const content = Buffer.alloc(100)
  content[0] = 1
  content.writeUInt32BE(scale, 20)
  content.writeBigUInt64BE(length, 24)
  return box('mvhd', content)
}

/** A movie that has a picture track, and this header. */
function withHeader(header: Buffer): Buffer {
  const whole = aMovie()
  const track = whole.subarray(whole.indexOf('trak') - 4)
  return movieOf(header, track)
}

function patched(content: Buffer, at: number, bytes: number[]): Buffer {
  const copy = Buffer.from(content)
  copy.set(bytes, at)
  return copy
}

const mp4s = (): HostileFile[] => {
  const whole = aMovie({ data: 5000 })
  const [movie, data] = [whole.indexOf('moov') - 4, whole.indexOf('mdat') - 4]
  return [
    mp4('as it should be', whole, 'stored'),
    mp4('without a picture track', aMovie({ kind: 'soun' }), 'refused'),
    mp4('without a header', whole.subarray(0, movie), 'refused'),
    mp4('with an empty header', movieOf(), 'refused'),
    mp4('of four million boxes', movieOf(emptyBoxes(4_000_000)), 'refused'),
    mp4('of 100,000 tracks', movieOf(repeated(box('trak', box('free')), 100_000)), 'refused'),
    mp4('of 100,000 boxes in a track', movieOf(box('trak', emptyBoxes(100_000))), 'refused'),
    mp4('of 200,000 boxes in each other', movieOf(nested('trak', 200_000)), 'refused'),
    mp4('of 60,000 fragments', Buffer.concat([whole, emptyBoxes(60_000)]), 'stored'),
    mp4('that lasts for ever', withHeader(longHeader(1, 0xffff_ffff_ffff_ffffn)), 'refused'),
    mp4('of a scale of nothing', withHeader(longHeader(0, 5n)), 'stored'),
    mp4('with a box of no length', patched(whole, data, [0, 0, 0, 4]), 'refused'),
    mp4('with a box longer than the file', patched(whole, data, [0x7f, 0xff, 0xff, 0xff]), 'refused'),
    mp4('with a box to the end', patched(whole, data, [0, 0, 0, 0]), 'refused'),
    mp4('with a length of 64 bits', patched(whole, data, [0, 0, 0, 1]), 'refused'),
    ...[0.1, 0.5, 0.9, 0.99].map((share) =>
      mp4(`cut at ${share}`, whole.subarray(0, Math.floor(whole.length * share)), 'refused'),
    ),
  ]
}

const HEAD = element('1a45dfa3', element('4282', Buffer.from('webm')))
const segment = (...inside: Buffer[]) => Buffer.concat([HEAD, element('18538067', ...inside)])
const [INFO, TRACKS, TRACK] = ['1549a966', '1654ae6b', 'ae']
const PICTURE = element('83', Buffer.from([1]))

function withDuration(bits: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(bits)
  return segment(element(INFO, element('4489', bytes)), element(TRACKS, element(TRACK, PICTURE)))
}

const webms = (): HostileFile[] => {
  const whole = aWebm({ durationMs: 4000 })
  const wide = element('e0', element('b0', Buffer.alloc(6, 0xff)), element('ba', Buffer.alloc(6, 0xff)))
  return [
    webm('as it should be', whole, 'stored'),
    webm('without tracks', segment(element(INFO)), 'refused'),
    webm('with an empty list of tracks', segment(element(INFO), element(TRACKS)), 'refused'),
    webm('with sound alone', segment(element(TRACKS, element(TRACK, element('83', Buffer.from([2]))))), 'refused'),
    webm('of 50,000 tracks', segment(element(TRACKS, repeated(element(TRACK), 50_000))), 'refused'),
    webm('of a million elements', segment(repeated(Buffer.from([0xec, 0x80]), 1_000_000)), 'refused'),
    webm('of 2^48 pixels', segment(element(TRACKS, element(TRACK, PICTURE, wide))), 'refused'),
    webm('that lasts for ever', withDuration(0x7ff0_0000_0000_0000n), 'refused'),
    webm('that lasts no number', withDuration(0x7ff8_0000_0000_0000n), 'stored'),
    webm('without a segment', HEAD, 'refused'),
    webm('with zeros for a segment', Buffer.concat([HEAD, Buffer.alloc(100_000)]), 'refused'),
    webm('cut off', whole.subarray(0, 60), 'refused'),
  ]
}

export const hostileVideos = (): HostileFile[] => [...mp4s(), ...webms()]
