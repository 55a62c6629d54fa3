import { formatCount } from '@roadshow/contract/platform/figures'
import type { ColorName } from '../../brand/colors.ts'
import { toneShares } from './spots.ts'
import type { PlacedSpot, Spot } from './spots.ts'

/** How things look right now, in light or dark. */
export interface SpotStyle {
  tones: Record<ColorName, string>
  font: string
}

interface At {
  x: number
  y: number
  radius: number
}

const TURN = Math.PI * 2

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, TURN)
}

/** A circle with how many there are, and around it what they are doing. */
export function drawCluster(
  context: CanvasRenderingContext2D,
  { tones, font }: SpotStyle,
  { x, y, radius, members }: At & { members: PlacedSpot[] },
): void {
  circle(context, x, y, radius)
  context.fillStyle = tones.paper
  context.fill()
  context.lineWidth = 4
  let from = -TURN / 4
  for (const [tone, share] of toneShares({ x, y, members })) {
    const to = from + (TURN * share) / members.length
    context.beginPath()
    context.arc(x, y, radius - 2, from, to)
    context.strokeStyle = tones[tone]
    context.stroke()
    from = to
  }
  context.fillStyle = tones.ink
  context.font = `600 12px ${font}`
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(formatCount(members.length), x, y + 0.5)
}

interface DrawnSpot extends At {
  spot: Spot
  isNamed: boolean
  isChosen: boolean
}

export function drawSpot(context: CanvasRenderingContext2D, look: SpotStyle, drawn: DrawnSpot): void {
  const { tones } = look
  const { x, y, spot, isNamed, isChosen } = drawn
  const tone = tones[spot.tone]
  if (isChosen) {
    circle(context, x, y, 15)
    context.fillStyle = tones.paper
    context.globalAlpha = 0.85
    context.fill()
    context.globalAlpha = 1
    context.lineWidth = 2.5
    context.strokeStyle = tones.ink
    context.stroke()
  } else if (spot.isUrgent) {
    circle(context, x, y, 12)
    context.lineWidth = 1.5
    context.strokeStyle = tone
    context.stroke()
  }
  context.lineWidth = 2
  context.strokeStyle = tones.paper
  context.fillStyle = tone
  if (spot.shape === 'arrow') arrow(context, x, y, spot.heading ?? 0)
  else circle(context, x, y, spot.shape === 'ring' ? 5 : 6)
  if (spot.shape === 'ring') {
    context.fillStyle = tones.paper
    context.lineWidth = 3
    context.strokeStyle = tone
  } else context.stroke()
  context.fill()
  if (spot.shape === 'ring') context.stroke()
  if (isNamed) drawName(context, look, { text: spot.name, x: x + (isChosen ? 20 : 13), y })
}

function arrow(context: CanvasRenderingContext2D, x: number, y: number, heading: number): void {
  const angle = (heading / 360) * TURN
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)]
  context.beginPath()
  for (const [across, down] of [
    [0, -10],
    [7, 8],
    [0, 4.5],
    [-7, 8],
  ] as const)
    context.lineTo(x + across * cosine - down * sine, y + across * sine + down * cosine)
  context.closePath()
}

interface PlacedText {
  text: string
  x: number
  y: number
}

function drawName(context: CanvasRenderingContext2D, { tones, font }: SpotStyle, { text, x, y }: PlacedText): void {
  context.font = `600 12px ${font}`
  context.textAlign = 'left'
  context.textBaseline = 'middle'
  context.lineWidth = 4
  context.lineJoin = 'round'
  context.strokeStyle = tones.paper
  context.strokeText(text, x, y)
  context.fillStyle = tones.ink
  context.fillText(text, x, y)
}
