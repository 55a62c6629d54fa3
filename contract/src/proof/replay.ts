import * as z from '../platform/zod.ts'
import { anyOf, chosenInstant, day, listQuery, namedRef, NO_EXPORT, one, page, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import type { Asked, Change } from '../platform/follows.ts'
import { addDays } from '../planning/shift-time.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { truckKinds } from '../catalog/trucks.ts'
import { stopVisit } from '../planning/planned-stops.ts'
import { positionSourceKind } from '../live/position-sources.ts'
import { popGrade } from './pop-document.ts'

export * from './replay-track.ts'

const milliseconds = z.number()
const whole = z.int()
const column = z.array(whole)

/** Hours in which a shift holds the truck. */
const replayShift = z.strictObject({
  uid,
  program: namedRef,
  market: z.string(),
  from: milliseconds,
  to: milliseconds,
})
export type ReplayShift = z.infer<typeof replayShift>

/** A file that was shown, with its picture if it is still stored. */
const replayPicture = z.strictObject({
  artwork: z.string(),
  program: z.string(),
  url: z.string().nullable(),
  isVideo: z.boolean(),
})
export type ReplayPicture = z.infer<typeof replayPicture>

/** The plays of a side as columns, in their order. */
const sidePlays = z.strictObject({
  side: z.enum(truckSides),
  /** Each start as the step from the one before, in milliseconds. */
  startedAt: column,
  durationMs: column,
  /** Which of the pictures. */
  picture: column,
  /** Which of `playMarks`. */
  mark: column,
})
export type SidePlays = z.infer<typeof sidePlays>

const replayPhoto = z.strictObject({
  uid,
  at: milliseconds,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  small: z.string(),
  large: z.string(),
  caption: z.string(),
  side: z.enum(truckSides).nullable(),
  grade: popGrade,
})
export type ReplayPhoto = z.infer<typeof replayPhoto>

/** A planned stop, and what the track says about it. */
const replayStop = stopVisit
  .pick({ name: true, latitude: true, longitude: true, radiusM: true, opensAt: true, closesAt: true })
  .extend({ state: stopVisit.shape.state, arrivedAt: stopVisit.shape.arrivedAt, leftAt: stopVisit.shape.leftAt })
export type ReplayStop = z.infer<typeof replayStop>

/**
 * Why there are no plays to show: a printed truck logs none, and old plays are counted and no longer kept one by one. Null
 * where there are plays, or simply none.
 */
export const playLogs = ['kept', 'printed', 'old'] as const

const replay = z.strictObject({
  truck: namedRef.extend({ kind: z.enum(truckKinds) }),
  /** The day of the market, and the zone that it had on that day. */
  day,
  zone: z.string(),
  /** The first and the last minute. */
  from: milliseconds,
  to: milliseconds,
  /** More may come. */
  isRunning: z.boolean(),
  shifts: z.array(replayShift),
  track: z.strictObject({
    at: column,
    latitude: column,
    longitude: column,
    speedKmh: z.array(whole.nullable()),
  }),
  /** Stretches of the track that another source than MyGeotab gave, to the minute. */
  sources: z.array(
    z.strictObject({ from: milliseconds, to: milliseconds, name: z.string(), kind: positionSourceKind }),
  ),
  /** Positions that were left out because the ones around them say the same. */
  thinned: whole,
  pictures: z.array(replayPicture),
  plays: z.array(sidePlays),
  playLog: z.enum(playLogs),
  photos: z.array(replayPhoto),
  stops: z.array(replayStop),
})
export type Replay = z.infer<typeof replay>

/** A shift, or a truck with a day of its market or a moment of it; without either its present day. */
const asked = {
  shift: uid.optional(),
  truck: uid.optional(),
  day: day.optional(),
  at: chosenInstant.optional(),
}
const ONE_OF = { path: ['truck'], message: 'Name a truck or a shift.' }
const isOne = ({ shift, truck }: { shift?: string | undefined; truck?: string | undefined }) =>
  (shift === undefined) !== (truck === undefined)

const trackFormats = ['gpx', 'geojson'] as const
export type TrackFormat = (typeof trackFormats)[number]

/** A night shift of the day before reaches into the day. */
const concernsDay = ({ days }: Change, { query }: Asked): boolean => {
  const asked = query?.['day']
  return !days || typeof asked !== 'string' || (days.from <= asked && days.to >= addDays(asked, -1))
}

const access = { module: ['overview', 'schedule', 'clients', 'pop', 'trucks'], needs: 'view' } as const

export const replays = {
  get: endpoint({
    method: 'GET',
    path: 'replay/run',
    access,
    ownRows: 'hours',
    summary:
      'A shift, or a truck’s day, minute by minute: positions, plays of each side with their pictures, photos and stops.',
    // Whose hours they are, and so who may see them.
    follows: ['shifts'],
    concerns: concernsDay,
    atMostEvery: 10,
    atLeastEvery: ({ isRunning }: Replay) => (isRunning ? 60 : undefined),
    added: true,
    query: z.strictObject(asked).refine(isOne, ONE_OF),
    reply: one(replay),
  }),
  track: endpoint({
    method: 'GET',
    path: 'replay/track',
    access,
    ownRows: 'hours',
    summary: 'The track of the same hours as a file, every position: GPX or GeoJSON. Answers 404 without GPS data.',
    added: true,
    isExport: true,
    query: z
      .strictObject({ ...asked, as: z.enum(trackFormats, `Choose ${trackFormats.join(' or ')}.`) })
      .refine(isOne, ONE_OF),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
  trucks: endpoint({
    method: 'GET',
    path: 'replay/trucks',
    access,
    ownRows: 'hours',
    summary: 'The trucks that can be replayed, by number. Clients and drivers find those of their own shifts.',
    follows: ['trucks'],
    added: true,
    query: listQuery(['name'], { uid: anyOf(uid).optional() }).omit(NO_EXPORT),
    reply: page(namedRef),
  }),
}
