import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  dayOrToday,
  chosenInstant,
  instant,
  listQuery,
  namedRef,
  NO_EXPORT,
  one,
  page,
  textLine,
  uid,
  version,
} from '../platform/common.ts'
import { removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { popGrade } from './pop-document.ts'

export const photoStatuses = ['waiting', 'approved', 'hidden'] as const
const photoStatus = z.enum(photoStatuses, `Choose ${photoStatuses.join(', ')}.`)
export type PhotoStatus = z.infer<typeof photoStatus>
export const photoStatusLabel: Record<PhotoStatus, string> = {
  waiting: 'Waiting',
  approved: 'Approved',
  hidden: 'Hidden',
}

/** Where time and place of a photo come from: the camera data in the file, the driver's phone beside it, or typed. */
const photoSource = z.enum(['exif', 'phone', 'typed'])
export type PhotoSource = z.infer<typeof photoSource>

/** Signed addresses of a picture in its three sizes, which expire. */
const pictures = z.strictObject({ small: z.string(), medium: z.string(), large: z.string() })

export const popPhoto = z.strictObject({
  uid,
  program: namedRef,
  market: namedRef.nullable(),
  truck: namedRef.nullable(),
  shift: z.strictObject({ uid, date: day, start: z.string(), end: z.string(), zone: z.string() }).nullable(),
  takenBy: namedRef.nullable(),
  name: z.string(),
  urls: pictures,
  width: z.int(),
  height: z.int(),
  blur: z.string(),
  takenAt: instant.nullable(),
  /** The zone of the market, in which to show the time. */
  zone: z.string().nullable(),
  timeSource: photoSource.nullable(),
  /** What the phone's clock showed, where it was wrong and `takenAt` is the corrected time. */
  phoneTakenAt: instant.nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  placeSource: photoSource.nullable(),
  /** How exactly the phone knew its place; null for other sources. */
  accuracyM: z.number().nullable(),
  /** Which side of the truck it shows, where the sender said so. */
  side: z.enum(truckSides).nullable(),
  caption: z.string(),
  status: photoStatus,
  /** Why the office hid it; empty otherwise. */
  rejection: z.string(),
  grade: popGrade,
  /** The reason for the grade, in a sentence. */
  reason: z.string(),
  /** For the office: who changed it last. */
  changedBy: namedRef.nullable(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type PopPhoto = z.infer<typeof popPhoto>

/** The result for one file of an upload. */
const addedPhoto = z.strictObject({
  name: z.string(),
  outcome: z.enum(['added', 'already', 'refused']),
  /** Why it was refused. */
  error: z.string().optional(),
  /** The id of the error, for words in another language. */
  code: z.string().optional(),
  photo: popPhoto.optional(),
})

const latitude = z.number('Must be a number.').min(-90, 'Must be at least -90.').max(90, 'Must be at most 90.')
const longitude = z.number('Must be a number.').min(-180, 'Must be at least -180.').max(180, 'Must be at most 180.')

const both = {
  path: ['longitude'],
  message: 'Enter both latitude and longitude.',
}

/** What the driver's phone recorded with the picture. Camera data in the file wins. */
const phoneRecord = z
  .strictObject({
    takenAt: instant,
    /** By the same clock at the moment of sending: with it, the time of a wrong clock is set right. */
    sentAt: instant,
    latitude: latitude.nullable().prefault(null),
    longitude: longitude.nullable().prefault(null),
    accuracyM: z.number('Must be a number.').min(0, 'Must be at least 0.').max(1_000_000).nullable().prefault(null),
  })
  .refine((given) => (given.latitude === null) === (given.longitude === null), both)

export const photoUpload = z
  .strictObject({
    /** Where the photo belongs, if the sender knows; otherwise it is derived from sender, time and place. */
    programUid: uid.optional(),
    marketUid: uid.optional(),
    shiftUid: uid.optional(),
    caption: textLine(300).prefault(''),
    /** For photos without camera data. They can't be verified. */
    takenAt: chosenInstant.optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
    phone: phoneRecord.optional(),
    side: z.enum(truckSides, `Choose ${truckSides.join(', ')}.`).optional(),
  })
  .refine((given) => (given.latitude === undefined) === (given.longitude === undefined), both)

export const photoInput = z.strictObject({
  caption: textLine(300).prefault(''),
  status: photoStatus,
  /** Why it is hidden; kept when absent, and forgotten with another status. */
  rejection: textLine(300).optional(),
  marketUid: uid.nullable(),
  shiftUid: uid.nullable(),
})
export type PhotoInput = z.input<typeof photoInput>

/** The most photos of one upload, and the size limit of each. */
export const PHOTOS_AT_ONCE = 10
export const MAX_PHOTO_BYTES = 30 * 1024 * 1024
/** Types that cameras and phones write. HEIC is refused with advice; phones convert it when asked for JPEG. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'] as const

/** A picture of a photo: its key and size. */
export const pictureParams = z.strictObject({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  size: z.enum(['small', 'medium', 'large']),
})

const view = { module: 'pop', needs: 'view' } as const
const edit = { module: 'pop', needs: 'edit', reach: 'all' } as const
const own = { module: 'pop', needs: 'edit' } as const
const ofOne = z.strictObject({ uid })

/** The endpoints of photos, which are part of those of POPs. */
export const photoCalls = {
  addPhotos: endpoint({
    method: 'POST',
    path: 'client-pop/',
    access: own,
    ownRows: 'records',
    summary: 'Adds photos. Where they belong is derived from sender, time and place; drivers add to their own shifts.',
    body: photoUpload,
    // Browsers send unknown types as bytes; the content is checked anyway.
    files: {
      photos: { count: PHOTOS_AT_ONCE, bytes: MAX_PHOTO_BYTES, types: [...photoTypes, 'application/octet-stream'] },
    },
    // The same file twice in a program is one photo.
    repeatable: true,
    reply: one(z.array(addedPhoto)),
  }),
  photos: endpoint({
    method: 'GET',
    path: 'client-pop/photos/run',
    access: view,
    ownRows: 'hours',
    summary:
      'Lists photos in the order of the page. Drivers see their own, clients the approved ones of their programs.',
    follows: ['pops', 'photos'],
    added: true,
    query: listQuery(['position', 'takenAt', 'createdAt'], {
      program: anyOf(uid).optional(),
      market: anyOf(uid).optional(),
      shift: anyOf(uid).optional(),
      status: anyOf(photoStatus).optional(),
      grade: anyOf(popGrade).optional(),
    }).omit(NO_EXPORT),
    reply: page(popPhoto),
  }),
  photo: endpoint({
    method: 'GET',
    path: 'client-pop/photos/{uid}',
    access: view,
    ownRows: 'hours',
    summary: 'Returns one photo.',
    follows: ['pops', 'photos'],
    added: true,
    params: ofOne,
    reply: one(popPhoto),
  }),
  updatePhoto: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/',
    access: own,
    ownRows: 'records',
    summary:
      'Changes caption, status, market or shift of a photo. Drivers change captions of their own waiting photos.',
    added: true,
    body: photoInput.extend({ uid, version }),
    reply: one(popPhoto),
  }),
  setPhotoStatus: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/status',
    access: edit,
    summary:
      'Approves, hides or resets several photos at once. An approved photo needs a market: `marketUid` is given to ' +
      'those that have none.',
    added: true,
    body: z.strictObject({
      uids: z.array(uid).min(1).max(200, 'At most 200 photos.'),
      status: photoStatus,
      /** Why they are hidden. */
      rejection: textLine(300).prefault(''),
      marketUid: uid.optional(),
    }),
    reply: one(z.strictObject({ changed: z.int() })),
  }),
  movePhoto: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/move',
    access: edit,
    summary: 'Moves a photo within its market, in front of another or to the end.',
    added: true,
    body: z.strictObject({ uid, before: uid.nullable() }),
    reply: one(z.strictObject({ uid })),
  }),
  removePhoto: removeEndpoint({
    path: 'client-pop/photos',
    access: own,
    ownRows: 'records',
    added: true,
    summary: 'Deletes a photo; published versions keep it. Drivers delete their own waiting photos.',
  }),
  restorePhoto: restoreEndpoint({ path: 'client-pop/photos', access: own, ownRows: 'records' }),
  photoHistory: historyEndpoint('client-pop/photos', edit),
  picture: endpoint({
    method: 'GET',
    path: 'client-pop/pictures/{key}/{size}',
    rate: 'picture',
    access: 'public',
    summary: 'Returns a picture of a photo by its signed address.',
    added: true,
    params: pictureParams,
    query: z.strictObject({
      expires: z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
      signature: z.string().max(100),
    }),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
  newest: endpoint({
    method: 'GET',
    path: 'overview/pop-photos',
    access: { module: 'overview', needs: 'view' },
    ownRows: 'hours',
    summary: 'Lists photos, by default the newest first: by the time they were taken, then by arrival.',
    follows: ['photos', 'pops'],
    atLeastEvery: 60,
    query: listQuery(['takenAt', 'createdAt'], { day: dayOrToday.optional() }).omit(NO_EXPORT),
    reply: page(popPhoto),
  }),
}
