const GB = 1024 ** 3

export interface Space {
  free: number
  total: number
}

/** Whether a disk fills up: little is left in bytes and in proportion. Once said, it holds until there is clearly more. */
export function isFillingUp({ free, total }: Space, isKnown: boolean): boolean {
  const margin = isKnown ? 1.25 : 1
  return free < 2 * GB * margin || (free < 20 * GB * margin && free < 0.1 * margin * total)
}

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
