import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { ageText } from './ages.ts'

/** A position that is older tells where the truck was. */
const FRESH_MS = 10 * 60_000

/** Where a truck is: `in Dallas, TX`, or `12 mi from Dallas, TX 3 h 5 min ago`. */
export const placeText = ({ text, at }: NonNullable<TruckIssue['place']>, now: number): string =>
  now - Date.parse(at) > FRESH_MS ? `${text} ${ageText(at, now)} ago` : text
