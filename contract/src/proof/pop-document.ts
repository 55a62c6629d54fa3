import * as z from '../platform/zod.ts'
import { day, instant } from '../platform/common.ts'

/**
 * What a published version says, in full: what is not in here is not public. No uids, no names of drivers, no plates.
 * Its text is hashed; a change of its shape is a new format.
 */
export const POP_FORMAT = 1

export const popGrades = ['verified', 'unverified', 'conflict'] as const
export const popGrade = z.enum(popGrades)
export type PopGrade = z.infer<typeof popGrade>
export const popGradeLabel: Record<PopGrade, string> = {
  verified: 'Verified',
  unverified: 'Unverified',
  conflict: 'Conflict',
}

const counted = z.int().min(0)

/** The great numbers, of a program or of one of its markets. */
export const popFigures = z.strictObject({
  metres: z.number().min(0),
  /** On the street: from start to stop of each shift that took place. */
  seconds: counted,
  shifts: counted,
  trucks: counted,
  /** Local days with a shift. */
  days: counted,
  plays: counted,
  verifiedPlays: counted,
  conflictPlays: counted,
  playSeconds: counted,
})
export type PopFigures = z.infer<typeof popFigures>

/** The same of a market, by its name. */
export const popMarketFigures = z.strictObject({ market: z.string(), ...popFigures.shape })

/** A picture by the name it is kept under; its hash is of the large size, or of its only one. */
const picture = z.strictObject({
  key: z.string(),
  width: z.int(),
  height: z.int(),
  sha256: z.string(),
})

const publicPhoto = picture.extend({
  /** Of each size, in pixels: what a browser chooses by. */
  widths: z.strictObject({ small: z.int(), medium: z.int(), large: z.int() }),
  blur: z.string(),
  caption: z.string(),
  /** As clocks in the market showed it: 2026-07-01 14:03:22. */
  takenAt: z.string().nullable(),
  grade: popGrade,
  reason: z.string(),
})
export type PublicPhoto = z.infer<typeof publicPhoto>

const popChapter = z.strictObject({
  /** Its anchor on the page, from its name: `dallas-tx`. */
  slug: z.string(),
  name: z.string(),
  state: z.string(),
  zone: z.string(),
  headline: z.string(),
  text: z.string(),
  startsOn: day,
  endsOn: day,
  figures: popFigures,
  /** Each local day with a shift or a play. */
  perDay: z.array(z.strictObject({ day, metres: z.number(), plays: counted, verifiedPlays: counted })),
  /** Where trucks drove, each line as Google's encoded polyline (5 digits); ends near depots are cut off. */
  routes: z.array(z.string()),
  photos: z.array(publicPhoto),
})
export type PopChapter = z.infer<typeof popChapter>

export const popDocument = z.strictObject({
  format: z.literal(POP_FORMAT),
  /** 0: a preview of what is not published. */
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
  /** The photo on top: one of those in the chapters. */
  cover: z.string().nullable(),
  figures: popFigures,
  photos: counted,
  verifiedPhotos: counted,
  /** Which way of counting miles these numbers come from. */
  milesAlgorithm: z.int(),
  chapters: z.array(popChapter),
})
export type PopDocument = z.infer<typeof popDocument>
