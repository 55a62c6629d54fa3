import { type MarketPlaces, METERS_PER_MILE } from '@roadshow/contract'
import { color, EDGE, ensureSpace, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { drawTable, type PdfColumn } from '../../../platform/pdf/table.ts'
import { drawFigure } from '../../../platform/pdf/tags.ts'
import { placesCount } from '../words.ts'

const HEIGHT = 190
const PADDING = 16
const METERS_PER_DEGREE = 111_195
// A market with one place still shows its surroundings.
const LEAST_METERS = METERS_PER_MILE

/** Where the places are: dots in a box, north up. */
function drawDots(doc: Pdf, { places }: MarketPlaces, top: number): void {
  doc.roundedRect(EDGE, top, INNER, HEIGHT, 4).fill(color.ground)
  const [latitudes, longitudes] = [places.map(({ latitude }) => latitude), places.map(({ longitude }) => longitude)]
  const middleOf = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2
  const spanOf = (values: number[]) => Math.max(...values) - Math.min(...values)
  const [north, east] = [middleOf(latitudes), middleOf(longitudes)]
  const narrowing = Math.cos((north * Math.PI) / 180)
  const tall = Math.max(spanOf(latitudes) * METERS_PER_DEGREE, LEAST_METERS)
  const wide = Math.max(spanOf(longitudes) * METERS_PER_DEGREE * narrowing, LEAST_METERS)
  const perMeter = Math.min((INNER - 2 * PADDING) / wide, (HEIGHT - 2 * PADDING) / tall)
  for (const { latitude, longitude } of places) {
    const x = EDGE + INNER / 2 + (longitude - east) * METERS_PER_DEGREE * narrowing * perMeter
    const y = top + HEIGHT / 2 - (latitude - north) * METERS_PER_DEGREE * perMeter
    doc.circle(x, y, 3.5).lineWidth(1).fillAndStroke(color.amber, color.paper)
  }
}

const columns: readonly PdfColumn[] = [
  { title: 'Place', width: 200, align: 'left' },
  { title: 'Address', width: INNER - 200, align: 'left' },
]

/** The places near a market, drawn and listed. */
export function drawPlaces(doc: Pdf, group: MarketPlaces): void {
  ensureSpace(doc, HEIGHT + 60)
  write(doc, group.market, { x: EDGE, y: doc.y + 6, size: 10, bold: true, tag: 'H3' })
  const top = doc.y + 4
  drawFigure(doc, `Places in ${group.market}`, () => drawDots(doc, group, top))
  write(doc, placesCount(group), { x: EDGE, y: top + HEIGHT + 4, size: 8, fill: color.soft })
  doc.y += 6
  const rows = group.places.map(({ label, address }) => [label, address])
  drawTable(doc, columns, rows, { size: 8, row: 13 })
  doc.y += 6
}
