import type { SuggestionReason } from '@roadshow/contract'

interface Choice {
  uid: string
  reasons: readonly SuggestionReason[]
}

interface OpenShift {
  uid: string
  /** Best first. */
  choices: readonly Choice[]
}

/** Whether nothing speaks against a choice that a planner would want to decide on. */
const isGood = ({ reasons }: Choice): boolean =>
  reasons.every((reason) => {
    if (reason.kind === 'travel' || reason.kind === 'travelAfter') return reason.isEnough
    if (reason.kind === 'artwork') return reason.fit === 'exact' || reason.fit === 'scales' || reason.fit === 'unknown'
    if (reason.kind === 'rest') return !reason.isShort
    if (reason.kind === 'weekHours') return reason.minutes <= reason.limitMinutes
    return !['restAfter', 'noSchedule', 'declined', 'printed'].includes(reason.kind)
  })

/**
 * Proposes who takes each shift: the one who can take most of them, then the one who can take most of the rest, so that
 * as few as possible take over. Of those who can take as many, the one who ranks best goes first.
 */
export function proposeReplacements(shifts: readonly OpenShift[]): Map<string, string> {
  const proposed = new Map<string, string>()
  let open = shifts
  for (;;) {
    const taken = new Map<string, { shifts: string[]; rank: number }>()
    for (const { uid, choices } of open) {
      for (const [rank, choice] of choices.filter(isGood).entries()) {
        const known = taken.get(choice.uid) ?? { shifts: [], rank: 0 }
        taken.set(choice.uid, { shifts: [...known.shifts, uid], rank: known.rank + rank })
      }
    }
    const [best] = [...taken].toSorted(
      ([, one], [, other]) =>
        other.shifts.length - one.shifts.length || one.rank / one.shifts.length - other.rank / other.shifts.length,
    )
    if (!best) return proposed
    const [replacement, { shifts: given }] = best
    for (const uid of given) proposed.set(uid, replacement)
    open = open.filter(({ uid }) => !proposed.has(uid))
  }
}
