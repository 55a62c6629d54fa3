export interface DrivenHours {
  planned: number
  driven: number
}

/** Hours planned until now before a program can be behind: one missed shift of many is no trend. */
const LEAST_PLANNED_HOURS = 16

/** Whether a program is behind. Once said, it holds until it has clearly caught up. */
export function isBehind({ planned, driven }: DrivenHours, isKnown: boolean): boolean {
  return planned >= LEAST_PLANNED_HOURS && driven < planned * (isKnown ? 0.92 : 0.9)
}
