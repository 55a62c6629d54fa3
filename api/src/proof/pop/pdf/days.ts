import type { PopChapter } from '@roadshow/contract'
import { toMiles } from '@roadshow/contract'
import { formatNumber, formatShortDay } from '../publication/words.ts'
import { color, type Pdf, write } from '../../../platform/pdf/sheet.ts'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

interface Bars {
  title: string
  /** The whole bar, and its darker part at the bottom. */
  bars: { whole: number; part: number }[]
  days: readonly string[]
  fill: string
}

const TITLE = 12
const LABEL = 10

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

function drawBars(doc: Pdf, { title, bars, days, fill }: Bars, box: Box): void {
  const most = Math.max(...bars.map(({ whole }) => whole), 0)
  const small = { size: 7.5, fill: color.soft }
  write(doc, title, { x: box.x, y: box.y, size: 8, bold: true, width: box.width * 0.65 })
  const top = `up to ${formatNumber(most)}`
  write(doc, top, { x: box.x, y: box.y, ...small, width: box.width, align: 'right' })
  const ground = box.y + box.height - LABEL
  const space = box.height - TITLE - LABEL
  const first = days[0] ?? ''
  const last = days.at(-1) ?? ''
  // The axis is time, so a day without a shift is a gap.
  const pitch = box.width / (daysBetween(first, last) + 1)
  const thick = Math.min(Math.max(pitch * 0.72, 0.4), 26)
  bars.forEach(({ whole, part }, index) => {
    const x = box.x + (daysBetween(first, days[index] ?? first) + 0.5) * pitch - thick / 2
    const high = most > 0 ? (whole / most) * space : 0
    if (high > 0) doc.rect(x, ground - high, thick, high).fill('#C9D3E0')
    const low = most > 0 ? (part / most) * space : 0
    if (low > 0) doc.rect(x, ground - low, thick, low).fill(fill)
  })
  doc
    .moveTo(box.x, ground)
    .lineTo(box.x + box.width, ground)
    .lineWidth(0.6)
    .stroke(color.soft)
  write(doc, formatShortDay(first), { x: box.x, y: ground + 2, ...small, width: box.width / 2 })
  if (last !== first)
    write(doc, formatShortDay(last), {
      x: box.x + box.width / 2,
      y: ground + 2,
      ...small,
      width: box.width / 2,
      align: 'right',
    })
}

/** Two bar charts by day: miles, and plays with the verified ones. */
export function drawDays(doc: Pdf, perDay: PopChapter['perDay'], box: Box): void {
  const sorted = perDay.toSorted((one, other) => one.day.localeCompare(other.day))
  if (sorted.length === 0) {
    return write(doc, 'No days driven yet.', { x: box.x, y: box.y, size: 9, fill: color.soft, width: box.width })
  }
  const days = sorted.map(({ day }) => day)
  const half = { ...box, height: box.height / 2 - 6 }
  const inMiles = sorted.map(({ metres }) => ({ whole: toMiles(metres), part: toMiles(metres) }))
  drawBars(doc, { title: 'Miles per day', bars: inMiles, days, fill: color.amber }, half)
  const inPlays = sorted.map(({ plays, verifiedPlays }) => ({ whole: plays, part: verifiedPlays }))
  const below = { ...half, y: box.y + box.height / 2 + 6 }
  drawBars(doc, { title: 'Plays per day, verified in green', bars: inPlays, days, fill: color.driving }, below)
}
