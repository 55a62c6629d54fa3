import { formatDistance } from '@roadshow/contract/platform/geo'

/** A distance of a truck; no data is not zero. */
export function distanceText(metres: number | null): string {
  if (metres === null) return 'no GPS data'
  return metres === 0 ? '0 mi' : formatDistance(metres)
}
