// The lines of a truck's loop. This file has no schemas, so that a player can use it without loading zod.

/** A shorter showing is not counted as a play. */
export const SHORTEST_PLAY_MS = 500

/** How long a set of pictures is shown unless the program says otherwise. */
export const PICTURE_MS = 15_000

interface SetFiles {
  files: readonly { durationMs: number | null }[]
}

/** The length of the longest video of a set; null for pictures. */
export function longestVideoMs(set: SetFiles | null): number | null {
  let longest = 0
  for (const { durationMs } of set?.files ?? []) longest = Math.max(longest, durationMs ?? 0)
  return longest > 0 ? longest : null
}

/** The length of a spot on all sides: of the program, else of the longest video, else of a picture. */
export const spotLengthMs = (spotMs: number | null, set: SetFiles | null, pictureMs = PICTURE_MS): number =>
  Math.max(spotMs ?? longestVideoMs(set) ?? pictureMs, SHORTEST_PLAY_MS)

/**
 * What a line is promised. A weight is a share of the screen time that plays an hour leave, so that a longer spot takes
 * nothing from the other lines; plays an hour are plays, however long the spot is.
 */
export type LoopShare = { weight: number } | { playsAnHour: number }

/** Local hours on days of the week, Monday is 1. Hours over midnight belong to the day on which they begin. */
export interface Daypart {
  /** `06:00` */
  from: string
  /** Not after `from`: on the next day. */
  to: string
  weekdays: readonly number[]
}

export interface LoopLine {
  uid: string
  spotMs: number
  share: LoopShare
  /** Null: at all hours. */
  daypart: Daypart | null
  /** Near these SD addresses only; null for everywhere. */
  addressUids: readonly string[] | null
}

/** The lines that share the screens of a truck. What they leave of an hour is shown to no line's credit: the rest. */
export interface Loop {
  lines: readonly LoopLine[]
  /** About how long the rest is shown at a time. */
  restMs: number
  /** The time zone of the market. */
  zone: string
  /** Decides where in an hour the turns of a line begin: another for each shift, so that no line has the best minutes. */
  seed: string
}

/** One program, one set: the line has the screen for itself, and its spots follow one another from whenever they start. */
export const exclusiveLoop = (uid: string, spotMs: number): Loop => ({
  lines: [{ uid, spotMs, share: { weight: 1 }, daypart: null, addressUids: null }],
  restMs: spotMs,
  zone: 'UTC',
  seed: uid,
})

const MINUTES_A_DAY = 24 * 60

export const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** Whether a daypart is on at a minute of a week, which begins on Monday at midnight. */
export function isDaypartOn({ from, to, weekdays }: Daypart, minuteOfWeek: number): boolean {
  const minute = minuteOfWeek % MINUTES_A_DAY
  const weekday = Math.floor(minuteOfWeek / MINUTES_A_DAY) + 1
  const [first, last] = [minutesOf(from), minutesOf(to)]
  if (first < last) return minute >= first && minute < last && weekdays.includes(weekday)
  if (minute >= first) return weekdays.includes(weekday)
  return minute < last && weekdays.includes(weekday === 1 ? 7 : weekday - 1)
}

export const isNearLine = ({ addressUids }: LoopLine, addressUid: string | null): boolean =>
  addressUids === null || (addressUid !== null && addressUids.includes(addressUid))

/** The screen time of an hour that a line is promised by its plays; 0 for a weight. */
export const bookedMsAnHour = (line: LoopLine | undefined): number =>
  line && 'playsAnHour' in line.share ? line.share.playsAnHour * line.spotMs : 0
