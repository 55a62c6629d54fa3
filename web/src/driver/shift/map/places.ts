import type { DriverAppShift } from '@roadshow/contract/live/driver-app'

/** A place of the shift. */
export interface ShiftPlace {
  name: string
  latitude: number
  longitude: number
  /** How far around it counts as there. */
  radiusM?: number
}

/** The yard and the planned stops. A day that an earlier version kept has no stops. */
export const placesOf = ({
  yard,
  stops = [],
}: Pick<DriverAppShift, 'yard'> & Partial<DriverAppShift>): ShiftPlace[] => [...(yard ? [yard] : []), ...stops]
