/** What is known of a condition and one of its subjects. Times are milliseconds since 1970. */
export interface ConditionFacts {
  /** Since when it holds, and since when it is gone (null while it holds); undefined if it was not seen before. */
  watched: { since: number; goneSince: number | null } | undefined
  holds: boolean
  isRaised: boolean
  /** How long it must hold before it is raised. */
  raiseAfterMs: number
  /** How long it must be gone before it is resolved, so that a condition that comes and goes stays raised. */
  resolveAfterMs: number
  now: number
}

export type Verdict = 'wait' | 'raise' | 'keep' | 'resolve' | 'forget'

/** Decides about a condition from its present and its past. */
export function evaluate({ watched, holds, isRaised, now, ...limits }: ConditionFacts): Verdict {
  if (holds && isRaised) return 'keep'
  if (holds) return now - (watched?.since ?? now) >= limits.raiseAfterMs ? 'raise' : 'wait'
  if (!isRaised) return 'forget'
  return now - (watched?.goneSince ?? now) >= limits.resolveAfterMs ? 'resolve' : 'keep'
}
