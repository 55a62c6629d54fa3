import {
  type ProposalArtwork,
  TRUCK_REAR,
  TRUCK_SIDE,
  truckPaint,
  truckRearShapes,
  type TruckShape,
  type TruckSide,
  truckSideLabel,
  truckSides,
  truckSideShapes,
  truckWheelShapes,
} from '@roadshow/contract'
import { EDGE, ensureSpace, color, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { drawFigure } from '../../../platform/pdf/tags.ts'
import { artworkAlt } from '../words.ts'

function drawShapes(doc: Pdf, shapes: readonly TruckShape[]): void {
  for (const { d, fill = '#000', stroke, strokeWidth = 1, opacity = 1 } of shapes) {
    doc.save().path(d)
    if (stroke) doc.lineWidth(strokeWidth).stroke(stroke)
    else doc.fillOpacity(opacity).fill(fill)
    doc.restore()
  }
}

/** The truck from one side, wearing a picture; `scale` turns its units into points. */
function drawTruck(
  doc: Pdf,
  side: TruckSide,
  picture: Buffer,
  { x, y, scale }: { x: number; y: number; scale: number },
) {
  const { width, screen } = side === 'rear' ? TRUCK_REAR : TRUCK_SIDE
  const isMirrored = side === 'passengerSide'
  const left = isMirrored ? width - screen.x - screen.width : screen.x
  const draw = (shapes: readonly TruckShape[]) => {
    doc.save()
    if (isMirrored) doc.translate(width, 0).scale(-1, 1)
    drawShapes(doc, shapes)
    doc.restore()
  }
  doc.save().translate(x, y).scale(scale)
  draw(side === 'rear' ? truckRearShapes : truckSideShapes)
  doc.rect(left, screen.y, screen.width, screen.height).fill(truckPaint.off)
  const fit: [number, number] = [screen.width, screen.height]
  doc.image(picture, left, screen.y, { fit, align: 'center', valign: 'center' })
  if (side !== 'rear') draw(truckWheelShapes)
  doc.restore()
}

const GAP = 12
const widthOf = (side: TruckSide) => (side === 'rear' ? TRUCK_REAR : TRUCK_SIDE).width
const ALL_SIDES = truckSides.reduce((sum, side) => sum + widthOf(side), 0)
const SCALE = (INNER - GAP * (truckSides.length - 1)) / ALL_SIDES
const HEIGHT = TRUCK_SIDE.height * SCALE

/** An artwork set on the sides of a truck beside each other; sides without a file are left out. */
export function drawSet(doc: Pdf, set: ProposalArtwork, pictures: ReadonlyMap<string, Buffer>): void {
  ensureSpace(doc, HEIGHT + 44)
  write(doc, set.name, { x: EDGE, y: doc.y + 6, size: 10, bold: true, tag: 'H3' })
  const top = doc.y + 4
  let x = EDGE
  for (const side of truckSides) {
    const picture = pictures.get(set[side]?.key ?? '')
    if (!picture) continue
    const place = { x, y: top, scale: SCALE }
    drawFigure(doc, artworkAlt(truckSideLabel[side], set.name), () => drawTruck(doc, side, picture, place))
    const width = widthOf(side) * SCALE
    write(doc, truckSideLabel[side], { x, y: top + HEIGHT, size: 8, fill: color.soft, width, align: 'center' })
    x += width + GAP
  }
  doc.y = top + HEIGHT + 16
}
