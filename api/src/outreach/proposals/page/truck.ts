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

interface Worn {
  href: string | undefined
  /** Where the screen is, seen by the reader. */
  screen: { x: number; y: number; width: number; height: number }
}

const worn = ({ href, screen: { x, y, width, height } }: Worn): Html =>
  html`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${truckPaint.off}" />${
      href !== undefined && html`<image href="${href}" x="${x}" y="${y}" width="${width}" height="${height}" />`
    }`

/** From the passenger side the cab is at the right: the truck is mirrored, what it wears is not. */
function truckOf(side: TruckSide, href: string | undefined, alt: string): Html {
  const { width, height, screen } = side === 'rear' ? TRUCK_REAR : TRUCK_SIDE
  const isMirrored = side === 'passengerSide'
  const place = isMirrored ? { ...screen, x: width - screen.x - screen.width } : screen
  const turned = (shapes: readonly TruckShape[]) =>
    isMirrored ? html`<g transform="translate(${width} 0) scale(-1 1)">${drawn(shapes)}</g>` : drawn(shapes)
  return html`<svg class="truck" viewBox="0 0 ${width} ${height}" role="img" aria-label="${alt}">
    ${turned(side === 'rear' ? truckRearShapes : truckSideShapes)}${worn({ href, screen: place })}${
      side !== 'rear' && turned(truckWheelShapes)
    }
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
