// The question about a start or stop that the truck's own data contradict. This file has no schemas, so that a page can
// use it without loading zod.
import { formatTimeOnly } from '../platform/dates.ts'

export const shiftTimeKinds = ['start', 'stop'] as const
export type ShiftTimeKind = (typeof shiftTimeKinds)[number]

/** What was seen at work: the screens or the wheels. */
export const truckSigns = ['plays', 'wheels'] as const
export type TruckSign = (typeof truckSigns)[number]

interface SeenTime {
  kind: ShiftTimeKind
  at: string
  seenBy: TruckSign
}

/** What the truck's data show: `T-99 drove from 11:10 PM`. */
export function describeSeenTime({ kind, at, seenBy }: SeenTime, truck: string, zone: string): string {
  const time = formatTimeOnly(at, zone)
  return `${truck} ${seenBy === 'plays' ? 'played' : 'drove'} ${kind === 'start' ? 'from' : 'until'} ${time}`
}
