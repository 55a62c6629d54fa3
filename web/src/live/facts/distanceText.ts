import { formatDistance } from '@roadshow/contract/platform/geo'

/** A distance of a truck; no data is not zero. */
export function distanceText(meters: number | null): string {
  if (meters === null) return 'no GPS data'
  return meters === 0 ? '0 mi' : formatDistance(meters)
}
