// When a shift may start. This file has no schemas, so that a page can use it without loading zod.
import { formatMoment } from '../platform/dates.ts'

/** A shift may start from this many hours before its planned start. */
export const EARLY_START_HOURS = 2
const EARLY_START_MS = EARLY_START_HOURS * 3_600_000

/** The first instant at which a shift may start, in milliseconds since 1970. */
export const startWindowOpens = (startsAt: number): number => startsAt - EARLY_START_MS

/** Why a shift cannot be out or completed at an instant; undefined if it can. */
export function earlyStartRefusal(
  { startsAt, zone }: { startsAt: string; zone: string },
  at: number,
): string | undefined {
  const opens = startWindowOpens(Date.parse(startsAt))
  if (at >= opens) return undefined
  return `This shift can start from ${formatMoment(opens, zone)}, ${EARLY_START_HOURS} hours before its planned start.`
}
