import { formatDays } from '@roadshow/contract'
import sharp from 'sharp'
import type { PopOpening } from '../publication/opening.ts'
import { listMarkets, mainFigures } from '../publication/words.ts'
import { SHARE_IMAGE } from './size.ts'
import { drawLine, shorten, widthOfLine, wrapWords } from './letters.ts'

// The colors of the hero of the page.
const color = { asphalt: '#161D2B', text: '#E8ECF3', soft: '#A9B4C4', headlight: '#FFB224' }
const EDGE = 56
/** Beside the photo. */
const PANEL = 620
const TITLE = { sizes: [68, 56, 46], most: 3 }
const FIGURES = { top: 452, row: 92 }

/** The title in the largest size in which it fits. */
function titleLines(program: string, width: number): { size: number; lines: string[] } {
  const tried = TITLE.sizes.map((size) => ({ size, lines: wrapWords(program, size, { width, lines: TITLE.most }) }))
  const fits = tried.find(
    ({ size, lines }) =>
      lines.length < TITLE.most && lines.every((line) => !line.endsWith('…') && widthOfLine(line, size) <= width),
  )
  return fits ?? tried.at(-1) ?? { size: 46, lines: [] }
}

function drawFigures(opening: PopOpening, width: number): string[] {
  const photos = opening.photos
  const half = width / 2
  return mainFigures({ figures: opening.figures, photos, verifiedPhotos: opening.verifiedPhotos }).flatMap(
    ({ value, unit }, index) => {
      const x = EDGE + (index % 2) * half
      const y = FIGURES.top + Math.floor(index / 2) * FIGURES.row
      const size = widthOfLine(value, 44) > half - 24 ? 26 : 44
      return [
        drawLine(shorten(value, size, half - 24), { x, y, size, fill: color.text, isBold: true }),
        drawLine(unit, { x, y: y + 30, size: 21, fill: color.soft }),
      ]
    },
  )
}

/** The words of the picture: brand, client, program, dates, markets, figures. */
function drawWords(opening: PopOpening, right: number): string {
  const { brand, client, program, startsOn, endsOn, chapters } = opening
  const width = right - 2 * EDGE
  const { size, lines } = titleLines(program, width)
  const title = lines.map((line, index) =>
    drawLine(line, { x: EDGE, y: 200 + index * size * 1.08, size, fill: color.text, isBold: true }),
  )
  const below = 200 + (lines.length - 1) * size * 1.08 + 50
  const when = [formatDays(startsOn, endsOn), listMarkets(chapters)].filter(Boolean).join(' · ')
  return [
    drawLine(shorten(brand, 24, width), { x: EDGE, y: 72, size: 24, fill: color.headlight, isBold: true }),
    drawLine(shorten(client, 26, width), { x: EDGE, y: 122, size: 26, fill: color.soft }),
    ...title,
    drawLine(shorten(when, 23, width), { x: EDGE, y: below, size: 23, fill: color.soft }),
    ...drawFigures(opening, width),
  ].join('')
}

/** The picture that chat programs and social networks show beside a link, as a JPEG. */
export async function drawShareImage(opening: PopOpening, photo: Buffer | null): Promise<Buffer> {
  const { width, height } = SHARE_IMAGE
  const right = photo ? PANEL : width
  const words = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
      `<rect x="${EDGE}" y="${FIGURES.top - 68}" width="${right - 2 * EDGE}" height="3" fill="${color.headlight}"/>` +
      `${drawWords(opening, right)}</svg>`,
  )
  const cover = photo && {
    input: await sharp(photo)
      .resize({ width: width - PANEL, height, fit: 'cover', position: 'attention' })
      .toBuffer(),
    left: PANEL,
    top: 0,
  }
  return sharp({ create: { width, height, channels: 3, background: color.asphalt } })
    .composite([...(cover ? [cover] : []), { input: words, left: 0, top: 0 }])
    .jpeg({ quality: 84, mozjpeg: true })
    .toBuffer()
}
