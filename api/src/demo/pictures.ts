import { type TruckSide, truckSides } from '@roadshow/contract'
import { drawSvg } from '../platform/decoding/pictures/pictures.ts'
import type { Brand, DemoClient } from './clients.ts'
import { demoPixelMaps } from './fleet.ts'

interface Size {
  width: number
  height: number
}

const FONT = `font-family="Liberation Sans, Arial, Helvetica, DejaVu Sans, sans-serif" font-weight="bold"`

// Of a bold letter, as a share of its height; on the safe side, since fonts differ between machines.
const LETTER = 0.64

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** The largest type in which a text fits a width, up to a size. */
const fitting = (text: string, width: number, largest: number) =>
  Math.floor(Math.min(largest, width / (text.length * LETTER)))

interface Line {
  text: string
  x: number
  y: number
  size: number
  fill: string
  anchor?: 'start' | 'middle' | 'end'
}

const line = ({ text, x, y, size, fill, anchor = 'start' }: Line) =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" ${FONT}>${escaped(text)}</text>`

/** The decoration of a brand, around a point. */
const decorations: Record<Brand['pattern'], (size: Size, x: number, y: number, color: string) => string> = {
  sun: ({ height }, x, y, color) =>
    Array.from({ length: 12 }, (_, ray) => {
      const far = height * 0.62
      return `<path d="M${x} ${y} l${far} ${-far * 0.07} v${far * 0.14} z" fill="${color}" opacity=".28" transform="rotate(${ray * 30} ${x} ${y})"/>`
    }).join('') + `<circle cx="${x}" cy="${y}" r="${height * 0.22}" fill="${color}" opacity=".9"/>`,
  waves: ({ width, height }, _x, _y, color) =>
    [0.62, 0.72, 0.82]
      .map((at, index) => {
        const top = height * at
        const swing = height * 0.12
        return `<path d="M0 ${top} q${width / 8} ${-swing} ${width / 4} 0 t${width / 4} 0 t${width / 4} 0 t${width / 4} 0 V${height} H0 z" fill="${color}" opacity="${0.12 + index * 0.06}"/>`
      })
      .join(''),
  stripes: ({ height }, x, _y, color) =>
    [0, 1, 2, 3]
      .map((index) => {
        const left = x - height * 0.45 + index * height * 0.24
        return `<path d="M${left} ${height} l${height * 0.45} ${-height} h${height * 0.1} l${-height * 0.45} ${height} z" fill="${color}" opacity="${0.5 - index * 0.1}"/>`
      })
      .join(''),
  rings: ({ height }, x, y, color) =>
    [0.16, 0.28, 0.4, 0.52]
      .map(
        (radius, index) =>
          `<circle cx="${x}" cy="${y}" r="${height * radius}" fill="none" stroke="${color}" stroke-width="${height * 0.035}" opacity="${0.9 - index * 0.22}"/>`,
      )
      .join(''),
  peaks: ({ height }, x, _y, color) =>
    (
      [
        [-0.5, 0.42],
        [0, 0.22],
        [0.42, 0.5],
      ] as const
    )
      .map(([shift, peak], index) => {
        const top = height * peak
        const half = height * 0.42
        return `<path d="M${x + shift * height - half} ${height} L${x + shift * height} ${top} l${half} ${height - top} z" fill="${color}" opacity="${0.22 + index * 0.1}"/>`
      })
      .join(''),
}

const svg = ({ width, height }: Size, [from, to]: Brand['colors'], inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
      <defs><linearGradient id="sky" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
      <rect width="100%" height="100%" fill="url(#sky)"/>${inside}</svg>`

/** A long side: the headline on one end, the decoration towards the other. */
function longSide({ name, colors, pattern, headline, call }: DemoClient, size: Size, turned: boolean): string {
  const { width, height } = size
  const edge = height * 0.09
  const band = height * 0.17
  const type = Math.min(...headline.map((text) => fitting(text, width * 0.74, height * 0.25)))
  const x = turned ? width - edge : edge
  const write = { x, anchor: turned ? ('end' as const) : ('start' as const) }
  const accent = colors[2]
  return svg(
    size,
    colors,
    decorations[pattern](size, turned ? width * 0.18 : width * 0.82, height * 0.42, accent) +
      line({ ...write, text: name, y: edge * 1.75, size: fitting(name, width * 0.6, height * 0.09), fill: accent }) +
      line({ ...write, text: headline[0], y: height * 0.46, size: type, fill: '#ffffff' }) +
      line({ ...write, text: headline[1], y: height * 0.46 + type * 1.12, size: type, fill: '#ffffff' }) +
      `<rect y="${height - band}" width="${width}" height="${band}" fill="${accent}"/>` +
      line({
        ...write,
        text: call,
        y: height - band * 0.33,
        size: fitting(call, width - 2 * edge, band * 0.54),
        fill: colors[0],
      }),
  )
}

/** A text on two lines of about the same length, if it is too long for one. */
function wrapped(text: string): string[] {
  if (text.length <= 16) return [text]
  const words = text.split(' ')
  const lengthAt = (count: number) => words.slice(0, count).join(' ').length
  const [best = 1] = words
    .map((_, index) => index + 1)
    .toSorted((a, b) => Math.abs(lengthAt(a) - text.length / 2) - Math.abs(lengthAt(b) - text.length / 2))
  return [words.slice(0, best).join(' '), words.slice(best).join(' ')]
}

/** Lines of text around a height. */
interface Block {
  y: number
  room: number
  /** The largest type size. */
  largest: number
  fill: string
}

/** The rear, higher than wide: everything in the middle, a word on each line. */
function rear({ name, colors, pattern, headline, call }: DemoClient, size: Size): string {
  const { width, height } = size
  const accent = colors[2]
  const middle = { x: width / 2, anchor: 'middle' as const }
  const band = height * 0.18
  /** Lines one below the other, around a height, in the largest type that fits all of them. */
  const stack = (lines: string[], { y, room, largest, fill }: Block) => {
    const type = Math.min(...lines.map((text) => fitting(text, width * 0.88, largest)), room / lines.length / 1.1)
    const top = y - (lines.length * type * 1.1) / 2
    return lines
      .map((text, at) => line({ ...middle, text, y: top + (at + 0.83) * type * 1.1, size: type, fill }))
      .join('')
  }
  return svg(
    size,
    colors,
    // The words stand on it, so it stays behind.
    `<g opacity=".4">${decorations[pattern]({ width, height: height - band }, width / 2, height * 0.48, accent)}</g>` +
      stack([name], { y: height * 0.09, room: height * 0.1, largest: height * 0.07, fill: accent }) +
      stack(headline.join(' ').split(' '), {
        y: height * 0.48,
        room: height * 0.6,
        largest: height * 0.15,
        fill: '#ffffff',
      }) +
      `<rect y="${height - band}" width="${width}" height="${band}" fill="${accent}"/>` +
      stack(wrapped(call), { y: height - band / 2, room: band * 0.8, largest: band * 0.4, fill: colors[0] }),
  )
}

const drawings: Record<TruckSide, (client: DemoClient, size: Size) => string> = {
  driverSide: (client, size) => longSide(client, size, false),
  passengerSide: (client, size) => longSide(client, size, true),
  rear,
}

/** The driver's side of a client's artwork as a part of another drawing. */
export const drawTruckSide = (client: DemoClient, { x, y, width, height }: Size & { x: number; y: number }): string =>
  drawings.driverSide(client, { width, height }).replace('<svg ', `<svg x="${x}" y="${y}" `)

/** The artwork of a client for the trucks it is made for, one picture to each side, pixel for pixel. */
export const drawArtwork = (client: DemoClient): Promise<{ side: TruckSide; content: Buffer }[]> =>
  Promise.all(
    truckSides.map(async (side) => {
      const { width, height } = demoPixelMaps[client.map].sides[side]
      const drawing = drawings[side](client, { width, height })
      const content = await drawSvg({ svg: drawing, type: 'jpeg', quality: 90 })
      return { side, content }
    }),
  )

const LOGO = 256

/** The first letters of a client's name in its colors. */
export function drawLogo({ name, colors }: DemoClient): Promise<Buffer> {
  const initials = (name.match(/\b[A-Z]/g) ?? []).slice(0, 2).join('')
  const size = { width: LOGO, height: LOGO }
  const letters = { text: initials, x: LOGO / 2, y: LOGO * 0.66, size: LOGO * 0.46, fill: '#ffffff' }
  const bar = `<rect x="${LOGO * 0.2}" y="${LOGO * 0.76}" width="${LOGO * 0.6}" height="${LOGO * 0.06}" fill="${colors[2]}"/>`
  return drawSvg({ svg: svg(size, colors, line({ ...letters, anchor: 'middle' }) + bar), type: 'png' })
}
