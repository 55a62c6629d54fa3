import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { create, Font } from 'fontkit'
import { toPdfCharset } from '../../../platform/pdf/charset.ts'

// Letters are drawn as outlines of the product's own typeface: a server may have no fonts at all.
const FONT_FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

// Loaded with the first picture, as the library is.
const load = createRequire(import.meta.url)
let font: Font | undefined
const openFont = (): Font =>
  (load('fontkit') as { create: typeof create }).create(readFileSync(load.resolve(FONT_FILE)))
const loadFont = (): Font => (font ??= openFont())

/** The width of a line in pixels. */
export function widthOfLine(text: string, size: number): number {
  const { unitsPerEm } = loadFont()
  return (loadFont().layout(toPdfCharset(text)).advanceWidth * size) / unitsPerEm
}

interface Line {
  x: number
  /** The line on which letters stand. */
  y: number
  size: number
  fill: string
  isBold?: boolean
}

/** A line of text as an SVG group. Its characters are outlines, so none of them can become markup. */
export function drawLine(text: string, { x, y, size, fill, isBold = false }: Line): string {
  const { unitsPerEm } = loadFont()
  const { glyphs, positions } = loadFont().layout(toPdfCharset(text))
  let advance = 0
  const paths = glyphs.map((glyph, index) => {
    const place = positions[index]
    const path = `<path transform="translate(${advance + (place?.xOffset ?? 0)} 0)" d="${glyph.path.toSVG()}"/>`
    advance += place?.xAdvance ?? 0
    return path
  })
  const scale = size / unitsPerEm
  // The file holds the regular weight; an outline around it makes it bold.
  const stroke = isBold ? ` stroke="${fill}" stroke-width="${unitsPerEm * 0.045}" stroke-linejoin="round"` : ''
  return `<g transform="translate(${x} ${y}) scale(${scale} ${-scale})" fill="${fill}"${stroke}>${paths.join('')}</g>`
}

/** Words in lines of at most this width; what does not fit the number of lines ends in an ellipsis. */
export function wrapWords(text: string, size: number, { width, lines }: { width: number; lines: number }): string[] {
  const wrapped: string[] = []
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = wrapped.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last !== undefined && widthOfLine(longer, size) <= width) wrapped[wrapped.length - 1] = longer
    else wrapped.push(word)
  }
  const isCut = wrapped.length > lines
  return wrapped
    .slice(0, lines)
    .map((line, index) => shorten(isCut && index === lines - 1 ? `${line}…` : line, size, width))
}

/** A line that fits a width. */
export function shorten(text: string, size: number, width: number): string {
  if (widthOfLine(text, size) <= width) return text
  const whole = text.replace(/…$/, '')
  const cutTo = (length: number) => `${whole.slice(0, length).trimEnd()}…`
  let [fits, tooLong] = [0, whole.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (widthOfLine(cutTo(middle), size) <= width) fits = middle
    else tooLong = middle
  }
  return cutTo(fits)
}
