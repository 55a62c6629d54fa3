import sharp from 'sharp'
import { loadPicture } from '../../../platform/decoding/pictures/open-picture.js'
import { drawLine, shorten, widthOfLine, wrapWords } from './letters.js'

/** @typedef {import('./draw.ts').ShareImageWords} ShareImageWords */

// The colors of the hero of the page.
const color = { asphalt: '#161D2B', text: '#E8ECF3', soft: '#A9B4C4', headlight: '#FFB224' }
const EDGE = 56
/** Beside the photo. */
const PANEL = 620
const TITLE = { sizes: [68, 56, 46], most: 3 }
const FIGURES = { top: 452, row: 92 }

/**
 * The title in the largest size in which it fits.
 * @param {string} program
 * @param {number} width
 */
function titleLines(program, width) {
  const tried = TITLE.sizes.map((size) => ({ size, lines: wrapWords(program, size, { width, lines: TITLE.most }) }))
  const fits = tried.find(
    ({ size, lines }) =>
      lines.length < TITLE.most && lines.every((line) => !line.endsWith('…') && widthOfLine(line, size) <= width),
  )
  return fits ?? tried.at(-1) ?? { size: 46, lines: [] }
}

/**
 * @param {ShareImageWords['figures']} figures
 * @param {number} width
 */
function drawFigures(figures, width) {
  const half = width / 2
  return figures.flatMap(({ value, unit }, index) => {
    const x = EDGE + (index % 2) * half
    const y = FIGURES.top + Math.floor(index / 2) * FIGURES.row
    const size = widthOfLine(value, 44) > half - 24 ? 26 : 44
    return [
      drawLine(shorten(value, size, half - 24), { x, y, size, fill: color.text, isBold: true }),
      drawLine(unit, { x, y: y + 30, size: 21, fill: color.soft }),
    ]
  })
}

/**
 * @param {ShareImageWords} words
 * @param {number} right
 */
function drawWords({ brand, client, program, when, figures }, right) {
  const width = right - 2 * EDGE
  const { size, lines } = titleLines(program, width)
  const title = lines.map((line, index) =>
    drawLine(line, { x: EDGE, y: 200 + index * size * 1.08, size, fill: color.text, isBold: true }),
  )
  const below = 200 + (lines.length - 1) * size * 1.08 + 50
  return [
    drawLine(shorten(brand, 24, width), { x: EDGE, y: 72, size: 24, fill: color.headlight, isBold: true }),
    drawLine(shorten(client, 26, width), { x: EDGE, y: 122, size: 26, fill: color.soft }),
    ...title,
    drawLine(shorten(when, 23, width), { x: EDGE, y: below, size: 23, fill: color.soft }),
    ...drawFigures(figures, width),
  ].join('')
}

/**
 * Draws words beside a photo, if there is one, as a JPEG.
 * @param {{ words: ShareImageWords, width: number, height: number }} input
 * @param {import('../../../platform/decoding/task-file.ts').TaskFile} file
 */
export async function drawShareImage({ words, width, height }, file) {
  const photo = file.size > 0 ? (await loadPicture(file)).content : undefined
  const right = photo ? PANEL : width
  const drawn = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect x="${EDGE}" y="${FIGURES.top - 68}" width="${right - 2 * EDGE}" height="3" fill="${color.headlight}"/>` +
      `${drawWords(words, right)}</svg>`,
  )
  const cover = photo && {
    input: await sharp(photo)
      .resize({ width: width - PANEL, height, fit: 'cover', position: 'attention' })
      .toBuffer(),
    left: PANEL,
    top: 0,
  }
  return sharp({ create: { width, height, channels: 3, background: color.asphalt } })
    .composite([...(cover ? [cover] : []), { input: drawn, left: 0, top: 0 }])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}
