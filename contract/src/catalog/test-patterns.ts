import { truckSideLabel, truckSides } from './pixel-maps.ts'
import type { Canvas, PixelRectangle, PixelSides, TruckSide } from './pixel-maps.ts'

export interface TestScreen {
  canvas: Canvas
  sides: PixelSides
}

/** The part of a canvas's drawing context that patterns use. */
interface Brush {
  fillStyle: unknown
  font: string
  textAlign: string
  fillRect(x: number, y: number, width: number, height: number): void
  fillText(text: string, x: number, y: number, maxWidth?: number): void
}

/** A picture to check screens with, drawn by the console and by players alike. */
export interface TestPattern {
  name: string
  /** Draws one picture; `seconds` counts while the pattern runs. */
  draw: (brush: Brush, screenful: TestScreen, seconds: number) => void
  /** Whether the pattern moves and is redrawn continuously. */
  moves?: true
}

const FINE = 16
const COARSE = 128
// Every line of pixels is lit once within this time.
const SWEEP_SECONDS = 12
const SWEEP_WIDTH = 2

const sideColor: Record<TruckSide, string> = {
  driverSide: '#ffb224',
  passengerSide: '#4cc38a',
  rear: '#a78bfa',
}

const fill = (brush: Brush, color: string, { x, y, width, height }: PixelRectangle) => {
  brush.fillStyle = color
  brush.fillRect(x, y, width, height)
}

const whole = ({ width, height }: Canvas): PixelRectangle => ({ x: 0, y: 0, width, height })

const solid = (name: string, color: string): TestPattern => ({
  name,
  draw: (brush, { canvas }) => fill(brush, color, whole(canvas)),
})

/** Lines are filled rectangles one pixel wide: a stroked line would lie between two pixels. */
function outline(brush: Brush, color: string, { x, y, width, height }: PixelRectangle): void {
  fill(brush, color, { x, y, width, height: 1 })
  fill(brush, color, { x, y: y + height - 1, width, height: 1 })
  fill(brush, color, { x, y, width: 1, height })
  fill(brush, color, { x: x + width - 1, y, width: 1, height })
}

function grid(brush: Brush, { canvas, sides }: TestScreen): void {
  fill(brush, '#000', whole(canvas))
  for (const step of [FINE, COARSE]) {
    const color = step === FINE ? '#2a2a2a' : '#6a6a6a'
    for (let x = 0; x < canvas.width; x += step) fill(brush, color, { x, y: 0, width: 1, height: canvas.height })
    for (let y = 0; y < canvas.height; y += step) fill(brush, color, { x: 0, y, width: canvas.width, height: 1 })
  }
  outline(brush, '#fff', whole(canvas))
  for (const side of truckSides) label(brush, side, sides[side])
}

function label(brush: Brush, side: TruckSide, rectangle: PixelRectangle): void {
  const { x, y, width, height } = rectangle
  outline(brush, sideColor[side], rectangle)
  // The corner marks show at once when a side is turned or mirrored.
  fill(brush, '#f00', { x, y, width: Math.min(8, width), height: Math.min(8, height) })
  const letters = Math.max(8, Math.min(48, Math.floor(height / 6), Math.floor(width / 12)))
  brush.fillStyle = sideColor[side]
  brush.textAlign = 'center'
  brush.font = `600 ${letters}px sans-serif`
  brush.fillText(truckSideLabel[side], x + width / 2, y + height / 2, width)
  brush.font = `${letters}px sans-serif`
  brush.fillText(`${width} × ${height} at ${x}, ${y}`, x + width / 2, y + height / 2 + letters * 1.3, width)
}

function grays(brush: Brush, { sides }: TestScreen): void {
  for (const { x, y, width, height } of Object.values(sides)) {
    for (let step = 0; step < 16; step++) {
      const from = Math.floor((width * step) / 16)
      const to = Math.floor((width * (step + 1)) / 16)
      const level = step * 17
      fill(brush, `rgb(${level} ${level} ${level})`, { x: x + from, y, width: to - from, height })
    }
  }
}

/** A white line over black, first across, then down: a pixel that stays dark or lit is seen as it passes. */
function sweep(brush: Brush, { canvas }: TestScreen, seconds: number): void {
  fill(brush, '#000', whole(canvas))
  const turn = (seconds % SWEEP_SECONDS) / SWEEP_SECONDS
  const at = (length: number, part: number) => Math.min(length - 1, Math.floor(length * part))
  if (turn < 0.5) fill(brush, '#fff', { ...whole(canvas), x: at(canvas.width, turn * 2), width: SWEEP_WIDTH })
  else fill(brush, '#fff', { ...whole(canvas), y: at(canvas.height, turn * 2 - 1), height: SWEEP_WIDTH })
}

/** In the order in which a screen is usually looked over. */
export const testPatterns: readonly TestPattern[] = [
  { name: 'Grid', draw: grid },
  solid('Red', '#f00'),
  solid('Green', '#0f0'),
  solid('Blue', '#00f'),
  solid('White', '#fff'),
  solid('Black', '#000'),
  { name: 'Grays', draw: grays },
  { name: 'Dead-pixel sweep', draw: sweep, moves: true },
]
