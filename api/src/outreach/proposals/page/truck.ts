import {
  type ProposalArtwork,
  TRUCK_REAR,
  TRUCK_SIDE,
  truckPaint,
  truckRearShapes,
  type TruckShape,
  truckSideLabel,
  truckSides,
  truckSideShapes,
  type TruckSide,
  truckWheelShapes,
} from '@roadshow/contract'
import { html, type Html } from '../../../platform/http/html.ts'
import { artworkAlt } from '../words.ts'

/** Where the picture with a key is read. */
export type ProposalPictureUrl = (key: string) => string

const drawn = (shapes: readonly TruckShape[]): Html[] =>
  shapes.map(
    ({ d, fill, stroke, strokeWidth, opacity }) =>
      html`<path
        d="${d}"
        fill="${stroke ? 'none' : (fill ?? '#000')}"
        ${stroke !== undefined && html`stroke="${stroke}" stroke-width="${strokeWidth ?? 1}"`}
        ${opacity !== undefined && html`opacity="${opacity}"`}
      />`,
  )

/** From the passenger side the cab is at the right: the truck is mirrored, what it wears is not. */
function truckOf(side: TruckSide, href: string, alt: string): Html {
  const { width, height, screen } = side === 'rear' ? TRUCK_REAR : TRUCK_SIDE
  const isMirrored = side === 'passengerSide'
  const x = isMirrored ? width - screen.x - screen.width : screen.x
  const place = html`x="${x}" y="${screen.y}" width="${screen.width}" height="${screen.height}"`
  const turned = (shapes: readonly TruckShape[]) =>
    isMirrored ? html`<g transform="translate(${width} 0) scale(-1 1)">${drawn(shapes)}</g>` : drawn(shapes)
  return html`<svg class="truck" viewBox="0 0 ${width} ${height}" role="img" aria-label="${alt}">
    ${turned(side === 'rear' ? truckRearShapes : truckSideShapes)}
    <rect ${place} fill="${truckPaint.off}" />
    <image href="${href}" ${place} />
    ${side !== 'rear' && turned(truckWheelShapes)}
  </svg>`
}

/** A truck from three sides, wearing an artwork set; sides without a file are left out. */
export const dressedTrucks = (set: ProposalArtwork, pictureUrl: ProposalPictureUrl): Html[] =>
  truckSides.flatMap((side) => {
    const picture = set[side]
    if (!picture) return []
    const label = truckSideLabel[side]
    return html`<figure class="side" data-side="${side}">
      ${truckOf(side, pictureUrl(picture.key), artworkAlt(label, set.name))}
      <figcaption>${label}</figcaption>
    </figure>`
  })
