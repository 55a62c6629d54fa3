import { DAY_MS } from '@roadshow/contract'

/** What went wrong on single shifts of the demo, so that every screen has something to say. */
export interface PastExceptions<Shift> {
  /** Its track arrives after its plays: they are graded again. */
  lateTrack: Shift | undefined
  /** Its tracker was off: no GPS data. */
  withoutTrack: Shift | undefined
  /** Its screens stayed dark: miles and no plays. */
  withoutPlays: Shift | undefined
  /** Its player lost some plays: missing numbers. */
  withLostPlays: Shift | undefined
}

/** Picks one shift of an LED truck for each exception, each some days ago. The shifts come by start. */
export function pastExceptions<Shift extends { isLed: boolean; endsAt: number }>(
  shifts: readonly Shift[],
  loadedAt: number,
): PastExceptions<Shift> {
  const chosen = new Set<Shift>()
  const daysAgo = (days: number) => {
    const found = shifts.findLast((each) => each.isLed && each.endsAt < loadedAt - days * DAY_MS && !chosen.has(each))
    if (found) chosen.add(found)
    return found
  }
  return { lateTrack: daysAgo(4), withoutTrack: daysAgo(6), withoutPlays: daysAgo(3), withLostPlays: daysAgo(2) }
}

/** How many plays in a row the player lost, and after how many. */
export const LOST = { from: 60, count: 24 }
