import { METERS_PER_MILE, type PopChapter, toMiles } from '@roadshow/contract'
import { decodePolyline, type LatLng } from '../publication/polyline.ts'
import { type Box, color, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { drawFigure } from '../../../platform/pdf/tags.ts'

const METERS_PER_DEGREE = 111_195
const PADDING = 14
// Points closer together than this look the same on paper.
const FINEST = 0.4
const SCALES = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200]

/** Whether there is a line to draw. */
export const hasRoutes = (routes: readonly string[]): boolean =>
  routes.some((route) => decodePolyline(route).length > 1)

/** Where trucks drove: lines in a box with a scale, north up. */
export const drawRoutes = (doc: Pdf, { name, routes }: Pick<PopChapter, 'name' | 'routes'>, box: Box): void =>
  drawFigure(doc, `Routes driven in ${name}`, () => drawLines(doc, routes, box))

function drawLines(doc: Pdf, routes: readonly string[], box: Box): void {
  doc.roundedRect(box.x, box.y, box.width, box.height, 4).fill(color.ground)
  const lines = routes.map(decodePolyline).filter((line) => line.length > 1)
  const points = lines.flat()
  // Math.min with a hundred thousand arguments fails, so the points are reduced.
  const edge = (which: 0 | 1, choose: (one: number, other: number) => number, from: number) =>
    points.reduce((found, point) => choose(found, point[which]), from)
  const [south, north] = [edge(0, Math.min, 90), edge(0, Math.max, -90)]
  const [west, east] = [edge(1, Math.min, 180), edge(1, Math.max, -180)]
  const narrowing = Math.cos((((south + north) / 2) * Math.PI) / 180)
  const tall = Math.max((north - south) * METERS_PER_DEGREE, 200)
  const wide = Math.max((east - west) * METERS_PER_DEGREE * narrowing, 200)
  const perMeter = Math.min((box.width - 2 * PADDING) / wide, (box.height - 2 * PADDING - 12) / tall)
  const place = ([latitude, longitude]: LatLng): [number, number] => [
    box.x + box.width / 2 + (longitude - (west + east) / 2) * METERS_PER_DEGREE * narrowing * perMeter,
    box.y + (box.height - 12) / 2 - (latitude - (south + north) / 2) * METERS_PER_DEGREE * perMeter,
  ]
  doc.save().lineWidth(0.9).lineJoin('round').lineCap('round').strokeColor(color.amber).strokeOpacity(0.6)
  for (const line of lines) drawLine(doc, line.map(place))
  doc.restore()
  drawScale(doc, box, perMeter)
}

function drawLine(doc: Pdf, [first = [0, 0], ...rest]: [number, number][]): void {
  let [x, y] = first
  doc.moveTo(x, y)
  rest.forEach(([nextX, nextY], index) => {
    if (Math.hypot(nextX - x, nextY - y) < FINEST && index < rest.length - 1) return
    doc.lineTo(nextX, nextY)
    x = nextX
    y = nextY
  })
  doc.stroke()
}

function drawScale(doc: Pdf, box: Box, perMeter: number): void {
  const longest = toMiles(box.width / 4 / perMeter)
  const length = SCALES.findLast((scale) => scale <= longest) ?? SCALES[0] ?? 1
  const width = length * METERS_PER_MILE * perMeter
  const x = box.x + PADDING
  const y = box.y + box.height - 10
  doc.save().lineWidth(0.8).strokeColor(color.soft)
  doc
    .moveTo(x, y - 3)
    .lineTo(x, y)
    .lineTo(x + width, y)
    .lineTo(x + width, y - 3)
    .stroke()
    .restore()
  write(doc, `${length} mi`, { x: x + width + 5, y: y - 6, size: 7.5, fill: color.soft, width: 60 })
}
