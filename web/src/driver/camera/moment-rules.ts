/** A position as the phone's receiver last told it; `at` by the phone's clock. */
export interface PositionFix {
  latitude: number
  longitude: number
  accuracyM: number
  at: number
}

/** A truck in traffic is somewhere else after two minutes. */
export const FIX_HOLDS_MS = 120_000

/** The position to record with a picture; null where the last one is too old. */
export function fixAt(fix: PositionFix | undefined, at: number): PositionFix | null {
  return fix && Math.abs(at - fix.at) <= FIX_HOLDS_MS ? fix : null
}

/** Taking a picture in the phone's own camera app and accepting it takes less. */
export const FRESH_MS = 10 * 60_000

/**
 * When a picture that the phone handed over was taken; null where that is not known. Some browsers offer old pictures too
 * when asked for the camera, and theirs is not the present time and place.
 */
export function takenJustNow(file: { lastModified: number }, now: number): number | null {
  const age = now - file.lastModified
  return age >= -1000 && age <= FRESH_MS ? Math.min(file.lastModified, now) : null
}
