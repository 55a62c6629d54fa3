import * as z from '../platform/zod.ts'
import { day, instant } from '../platform/common.ts'

/**
 * The complete content of a published version: anything else is not public. It has no uids, names of drivers or plates.
 * Its text is hashed, so a change of its shape is a new format. Format 1 knows no gaps, and no hours of days; versions
 * of it are read for as long as they exist. A version with estimated impressions has format 4, any other one with planned
 * stops format 3; all others stay in format 2.
 */
export const POP_FORMAT = 2
export const POP_FORMAT_WITH_STOPS = 3
export const POP_FORMAT_WITH_IMPRESSIONS = 4

export const popGrades = ['verified', 'unverified', 'conflict'] as const
export const popGrade = z.enum(popGrades)
export type PopGrade = z.infer<typeof popGrade>
export const popGradeLabel: Record<PopGrade, string> = {
  verified: 'Verified',
  unverified: 'Unverified',
  conflict: 'Conflict',
}

const counted = z.int().min(0)

/** What was not recorded, which is not the same as zero. */
const popGaps = z.strictObject({
  /** Shifts without any data of their truck's tracker. */
  shiftsWithoutGps: counted,
  /** Shifts of trucks with printed boards, which have no play log, and the number of these trucks. */
  printedShifts: counted,
  printedTrucks: counted,
  /** The time on the street for which players logged nothing: whole hours, or a whole shift. */
  playerOfflineSeconds: counted,
  /** Shifts that had not ended. */
  runningShifts: counted,
})
export type PopGaps = z.infer<typeof popGaps>

/** The main figures of a program or of one of its markets. */
export const popFigures = z.strictObject({
  metres: z.number().min(0),
  /** Time on the street: from the start to the end of each shift that took place. */
  seconds: counted,
  shifts: counted,
  trucks: counted,
  /** Days on which a shift took place. A shift belongs to the local day on which it started. */
  days: counted,
  plays: counted,
  verifiedPlays: counted,
  conflictPlays: counted,
  playSeconds: counted,
  gaps: popGaps.optional(),
})
export type PopFigures = z.infer<typeof popFigures>

/** Estimated impressions of shifts: modeled from their tracks, not measured. */
export const popImpressions = z.strictObject({
  low: counted,
  likely: counted,
  high: counted,
  /** Shifts that took place: with an estimate, and without one for lack of positions. */
  shifts: counted,
  shiftsWithout: counted,
  /** The versions of the method by which they were estimated, with the hash of each. */
  methods: z.array(z.strictObject({ version: z.int(), sha256: z.string() })),
})
export type PopImpressions = z.infer<typeof popImpressions>

/** The figures of a market, by its name. */
export const popMarketFigures = z.strictObject({ market: z.string(), ...popFigures.shape })

/** A day on which a shift took place, with everything of the shifts that started on it. */
export const popDay = z.strictObject({
  day,
  metres: z.number(),
  plays: counted,
  verifiedPlays: counted,
  seconds: counted.optional(),
  shifts: counted.optional(),
  gaps: popGaps.optional(),
})
export type PopDay = z.infer<typeof popDay>

/** A picture by its key. The hash is of the large size, or of the only size. */
const picture = z.strictObject({
  key: z.string(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
})

const publicPhoto = picture.extend({
  /** The width of each size in pixels, by which a browser chooses. */
  widths: z.strictObject({ small: z.int(), medium: z.int(), large: z.int() }),
  blur: z.string(),
  caption: z.string(),
  /** The local time of the market: 2026-07-01 14:03:22. */
  takenAt: z.string().nullable(),
  grade: popGrade,
  reason: z.string(),
})
export type PublicPhoto = z.infer<typeof publicPhoto>

/** A planned stop of a shift that took place, in words only: no place, truck or driver. */
const popStop = z.strictObject({
  /** The local day on which its shift started. */
  day,
  name: z.string(),
  /** The planned window, by the clocks of the market. */
  from: z.string(),
  to: z.string(),
  state: z.enum(['onTime', 'late', 'missed', 'noData']),
  /** The local time of the market: 2026-07-01 17:02:10. */
  arrivedAt: z.string().nullable(),
  leftAt: z.string().nullable(),
  dwellMinutes: counted.nullable(),
})
export type PopStop = z.infer<typeof popStop>

const popChapter = z.strictObject({
  /** The anchor on the page, made from the name: `dallas-tx`. */
  slug: z.string(),
  name: z.string(),
  state: z.string(),
  zone: z.string(),
  headline: z.string(),
  text: z.string(),
  startsOn: day,
  endsOn: day,
  figures: popFigures,
  /** Each day on which a shift took place: as many as the figures count. */
  perDay: z.array(popDay),
  /** Absent without an estimate. */
  impressions: popImpressions.optional(),
  /** Routes as Google's encoded polylines (5 digits); parts near depots are left out. */
  routes: z.array(z.string()),
  /** By day and time; absent without planned stops. */
  stops: z.array(popStop).optional(),
  photos: z.array(publicPhoto),
})
export type PopChapter = z.infer<typeof popChapter>

export const popDocument = z.strictObject({
  format: z.literal([1, POP_FORMAT, POP_FORMAT_WITH_STOPS, POP_FORMAT_WITH_IMPRESSIONS]),
  /** 0 in a preview. */
  version: z.int().min(0),
  publishedAt: instant,
  brand: z.string(),
  client: z.string(),
  logo: picture.nullable(),
  program: z.string(),
  popUrl: z.string(),
  startsOn: day,
  endsOn: day,
  headline: z.string(),
  text: z.string(),
  /** The cover photo, which is in one of the chapters. */
  cover: z.string().nullable(),
  figures: popFigures,
  /** Of the whole program; absent without an estimate. */
  impressions: popImpressions.optional(),
  photos: counted,
  verifiedPhotos: counted,
  /** The version of the method that measured the miles. */
  milesAlgorithm: z.int(),
  chapters: z.array(popChapter),
})
export type PopDocument = z.infer<typeof popDocument>
