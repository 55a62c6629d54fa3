import type { Shift } from '@roadshow/contract/planning/shifts'

/** Whether a shift ends on the day after it began. */
export const endsNextDay = ({ start, end }: Pick<Shift, 'start' | 'end'>): boolean => end <= start

/** What to say of a driver who had too little rest; nothing where it was enough. */
export const restText = ({ shortRestHours }: Pick<Shift, 'shortRestHours'>): string | undefined =>
  shortRestHours === null ? undefined : `Only ${shortRestHours} hours of rest before it.`
