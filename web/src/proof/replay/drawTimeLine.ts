import { clockAt } from '@roadshow/contract/platform/dates'
import type { PlayMark } from '@roadshow/contract/proof/replay-track'
import type { ColorName } from '../../brand/colors.ts'
import type { ReplayModel } from './replayModel.ts'

export type LineColor = Extract<
  ColorName,
  'driving' | 'warn' | 'bad' | 'silent' | 'line' | 'playing-silent' | 'off-shift'
>

const ROW_HEIGHT = 22
export const MARK_HEIGHT = 24
export const LINE_HEIGHT = 3 * ROW_HEIGHT + MARK_HEIGHT

const HOUR = 3_600_000
const MINUTE = 60_000
const LABEL_PX = 76
const STEPS = [1, 2, 3, 4, 6, 12]

interface HourLabelOptions {
  from: number
  to: number
  zone: string
  width: number
}

/** The whole hours of a time line, as many as can be read. Zones differ by half hours at least, so one begins within 60 minutes. */
export function hourLabels({ from, to, zone, width }: HourLabelOptions): { at: number; share: number }[] {
  const first = Array.from({ length: 60 }, (_, minute) => from + minute * MINUTE).find((at) =>
    clockAt(at, zone).endsWith(':00'),
  )
  if (first === undefined || to <= from) return []
  const fitting = Math.max(1, Math.floor(width / LABEL_PX))
  const step = STEPS.find((hours) => (to - first) / (hours * HOUR) <= fitting) ?? 24
  const labels: { at: number; share: number }[] = []
  for (let at = first; at <= to; at += step * HOUR) labels.push({ at, share: (at - from) / (to - from) })
  // The last label would stand over the edge.
  return labels.filter(({ share }) => share * width <= width - LABEL_PX / 2)
}

const markColor: Record<PlayMark, LineColor> = {
  verified: 'driving',
  unverified: 'warn',
  conflict: 'bad',
  unassigned: 'silent',
}

interface DrawOptions {
  width: number
  colors: Record<LineColor, string>
}

/** Draws plays as ticks in a row for each side, and below them shifts, photos and stops. */
export function drawTimeLine(
  context: CanvasRenderingContext2D,
  { replay, sides }: ReplayModel,
  { width, colors }: DrawOptions,
): void {
  const { from, to, shifts, photos, stops } = replay
  const x = (at: number) => ((at - from) / Math.max(1, to - from)) * width
  const block = (color: LineColor, start: number, end: number, [y, height]: [number, number]) => {
    context.fillStyle = colors[color]
    context.fillRect(x(start), y, Math.max(1, x(end) - x(start)), height)
  }
  context.clearRect(0, 0, width, LINE_HEIGHT)
  sides.forEach((side, row) => {
    const y = row * ROW_HEIGHT
    block('line', from, to, [y + ROW_HEIGHT / 2 - 0.5, 1])
    side.startsAt.forEach((start, index) =>
      block(markColor[side.mark[index] ?? 'unverified'], start, side.endsAt[index] ?? start, [y + 4, ROW_HEIGHT - 8]),
    )
  })
  const y = sides.length * ROW_HEIGHT
  for (const { from: start, to: end } of shifts)
    block('line', Math.max(start, from), Math.min(end, to), [y + 8, MARK_HEIGHT - 16])
  for (const { opensAt, closesAt } of stops)
    block('off-shift', Date.parse(opensAt), Date.parse(closesAt), [y + 10, MARK_HEIGHT - 20])
  context.fillStyle = colors['playing-silent']
  for (const { at } of photos) {
    context.beginPath()
    context.arc(x(at), y + MARK_HEIGHT / 2, 4, 0, Math.PI * 2)
    context.fill()
  }
}
