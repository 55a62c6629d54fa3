// Letters are drawn as outlines of the product's own typeface: a server may have no fonts at all.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create } from 'fontkit'

const FONT_FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

const font = create(readFileSync(createRequire(import.meta.url).resolve(FONT_FILE)))

/**
 * The width of a line in pixels.
 * @param {string} text
 * @param {number} size
 */
export const widthOfLine = (text, size) => (font.layout(text).advanceWidth * size) / font.unitsPerEm

/**
 * A line of text as an SVG group. Its characters are outlines, so none of them can become markup.
 * @param {string} text
 * @param {{ x: number, y: number, size: number, fill: string, isBold?: boolean }} line letters stand on `y`
 */
export function drawLine(text, { x, y, size, fill, isBold = false }) {
  const { unitsPerEm } = font
  const { glyphs, positions } = font.layout(text)
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

/**
 * Words in lines of at most this width; what does not fit the number of lines ends in an ellipsis.
 * @param {string} text
 * @param {number} size
 * @param {{ width: number, lines: number }} space
 */
export function wrapWords(text, size, { width, lines }) {
  /** @type {string[]} */
  const wrapped = []
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

/**
 * A line that fits a width.
 * @param {string} text
 * @param {number} size
 * @param {number} width
 */
export function shorten(text, size, width) {
  if (widthOfLine(text, size) <= width) return text
  const whole = text.replace(/…$/, '')
  const cutTo = (/** @type {number} */ length) => `${whole.slice(0, length).trimEnd()}…`
  let [fits, tooLong] = [0, whole.length]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (widthOfLine(cutTo(middle), size) <= width) fits = middle
    else tooLong = middle
  }
  return cutTo(fits)
}
