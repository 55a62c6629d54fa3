import { formatDay, localZone } from '@roadshow/contract/platform/dates'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { milesValue, playsValue } from '@roadshow/contract/proof/pop-figure-words'
import { countOf } from '@roadshow/contract/platform/figures'
import type { PopRow } from '@roadshow/contract/proof/pop'

type Live = Pick<PopRow, 'metres' | 'plays' | 'shiftCounts'>

const figuresOf = ({ metres, plays, shiftCounts }: Live) => ({
  metres,
  plays,
  shifts: shiftCounts.all,
  gaps: {
    shiftsWithoutGps: shiftCounts.withoutGps,
    printedShifts: shiftCounts.printed,
    // Shifts took place and no play came: the players were offline, for however long.
    ...(plays === 0 && shiftCounts.all > 0 && { playerOfflineSeconds: 1 }),
  },
})

/** The miles of a POP up to now, or that none were recorded. */
export const liveMiles = (pop: Live): string => milesValue(figuresOf(pop))

/** The plays of a POP up to now, or that there is no play log. */
export const livePlays = (pop: Live): string => playsValue(figuresOf(pop))

type Newest = NonNullable<PopRow['newestVersion']>

/** `Version 1, published Nov 3, 2026` */
export const versionName = ({ number, publishedAt }: Pick<Newest, 'number' | 'publishedAt'>): string =>
  `Version ${number}, published ${formatDay(localDay(localZone(), Date.parse(publishedAt)))}`

/** The frozen figures of a version: `1,712 miles, 70,695 plays, 12 photos`. */
export const frozenFigures = ({ metres, plays, photos }: Pick<Newest, 'metres' | 'plays' | 'photos'>): string =>
  [`${formatMileCount(metres)} miles`, countOf(plays, 'play'), countOf(photos, 'photo')].join(', ')
