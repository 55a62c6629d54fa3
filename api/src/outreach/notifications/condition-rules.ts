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
