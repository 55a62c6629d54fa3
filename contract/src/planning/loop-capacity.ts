import { formatClock, weekdayName } from '../platform/dates.ts'
import { upToOneDigit } from '../platform/figures.ts'
import { bookedMsAnHour, isDaypartOn, isNearLine, type Loop, minutesOf } from './loop-lines.ts'
import { HOUR_MS } from './loop-stretches.ts'

const MINUTE_MS = 60_000
const MINUTES_A_DAY = 24 * 60

/** The screen time of an hour that is booked at the fullest moment of a week. */
interface FullestMoment {
  minuteOfWeek: number
  bookedMs: number
  /** Lines with weights, which share what is left. */
  waiting: number
}

/** Why the plays that lines are promised do not fit into an hour; null if they do. */
export function loopProblem(loop: Loop): string | null {
  const { minuteOfWeek, bookedMs, waiting } = fullestMoment(loop)
  if (bookedMs < HOUR_MS || (bookedMs === HOUR_MS && waiting === 0)) return null
  const day = weekdayName(Math.floor(minuteOfWeek / MINUTES_A_DAY) + 1)
  const minute = minuteOfWeek % MINUTES_A_DAY
  const clock = `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
  const booked = `${day} from ${formatClock(clock)}: the plays of an hour need ${minutesText(bookedMs)} of screen time`
  if (bookedMs > HOUR_MS) return `${booked}, ${minutesText(bookedMs - HOUR_MS)} too much.`
  return `${booked} and leave none for the lines with a weight.`
}

function fullestMoment({ lines }: Loop): FullestMoment {
  const minutes = new Set([0])
  for (const { daypart } of lines) {
    for (const weekday of daypart?.weekdays ?? []) {
      const day = (weekday - 1) * MINUTES_A_DAY
      minutes.add(day + minutesOf(daypart?.from ?? '00:00'))
    }
  }
  const places = [null, ...new Set(lines.flatMap(({ addressUids }) => addressUids ?? []))]
  const moments = [...minutes].flatMap((minuteOfWeek) =>
    places.map((place): FullestMoment => {
      const on = lines.filter(
        (line) => isNearLine(line, place) && (!line.daypart || isDaypartOn(line.daypart, minuteOfWeek)),
      )
      const bookedMs = on.reduce((sum, line) => sum + bookedMsAnHour(line), 0)
      return { minuteOfWeek, bookedMs, waiting: on.filter(({ share }) => 'weight' in share).length }
    }),
  )
  const fuller = (one: FullestMoment, other: FullestMoment) =>
    other.bookedMs > one.bookedMs || (other.bookedMs === one.bookedMs && other.waiting > one.waiting) ? other : one
  return moments.reduce(fuller, { minuteOfWeek: 0, bookedMs: 0, waiting: 0 })
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** `75 min`, `62.5 min`. */
const minutesText = (ms: number): string => `${upToOneDigit(ms / MINUTE_MS)} min`
