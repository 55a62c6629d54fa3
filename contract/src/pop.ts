import * as z from './zod.ts'
import { anyOf, day, instant, line, listQuery, namedRef, one, page, paragraph, uid, version } from './common.ts'
import { endpoint } from './endpoint.ts'
import { historyOf } from './history.ts'
import { popDocument, popFigures, popGrade } from './pop-document.ts'

/** What the public sees of a program: its newest version, nothing yet, nothing any more, or nothing since its last day. */
export const popStates = ['unpublished', 'published', 'withdrawn', 'ended'] as const
const popState = z.enum(popStates, `Choose ${popStates.join(', ')}.`)
export type PopState = z.infer<typeof popState>
export const popStateLabel: Record<PopState, string> = {
  unpublished: 'Not published',
  published: 'Published',
  withdrawn: 'Withdrawn',
  ended: 'Ended',
}

export const photoStatuses = ['waiting', 'approved', 'hidden'] as const
const photoStatus = z.enum(photoStatuses, `Choose ${photoStatuses.join(', ')}.`)
export type PhotoStatus = z.infer<typeof photoStatus>
export const photoStatusLabel: Record<PhotoStatus, string> = {
  waiting: 'Waiting',
  approved: 'Approved',
  hidden: 'Hidden',
}

/** A market as a chapter of the page, in its place. */
const popMarket = z.strictObject({
  market: namedRef,
  headline: z.string(),
  text: z.string(),
  /** As the page shows them; null where they are the program's. */
  startsOn: day.nullable(),
  endsOn: day.nullable(),
  isShown: z.boolean(),
  photos: z.int(),
})
export type PopMarket = z.infer<typeof popMarket>

/** The POP of a program, which has the program's uid. */
const popRow = z.strictObject({
  uid,
  name: z.string(),
  client: namedRef,
  startsOn: day,
  endsOn: day,
  popUrl: z.string(),
  state: popState,
  shownVersion: z.int().nullable(),
  publishedAt: instant.nullable(),
  /** The last day on which the public sees it. */
  shownUntil: day.nullable(),
  photos: z.int(),
  photosWaiting: z.int(),
  metres: z.number(),
  plays: z.int(),
  views: z.int(),
  updatedAt: instant,
  version,
})
export type PopRow = z.infer<typeof popRow>

const pop = popRow.extend({
  headline: z.string(),
  text: z.string(),
  coverPhotoUid: uid.nullable(),
  markets: z.array(popMarket),
})
export type Pop = z.infer<typeof pop>

export const popInput = z.strictObject({
  headline: line(160).prefault(''),
  text: paragraph(5000).prefault(''),
  coverPhotoUid: uid.nullable().prefault(null),
  shownUntil: day.nullable().prefault(null),
})
export type PopInput = z.input<typeof popInput>

const popMarketInput = z
  .strictObject({
    marketUid: uid,
    headline: line(160).prefault(''),
    text: paragraph(5000).prefault(''),
    startsOn: day.nullable().prefault(null),
    endsOn: day.nullable().prefault(null),
    isShown: z.boolean('Must be true or false.').prefault(true),
  })
  .refine(({ startsOn, endsOn }) => !startsOn || !endsOn || endsOn >= startsOn, {
    path: ['endsOn'],
    message: 'Must not be before the start.',
  })

/** Addresses of a picture in its three sizes; they are signed and expire. */
const pictures = z.strictObject({ small: z.string(), medium: z.string(), large: z.string() })

const popPhoto = z.strictObject({
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
  /** The zone to read it in: the market's. */
  zone: z.string().nullable(),
  timeSource: z.enum(['exif', 'typed']).nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  placeSource: z.enum(['exif', 'typed']).nullable(),
  caption: z.string(),
  status: photoStatus,
  grade: popGrade,
  /** What was compared with what, in a sentence. */
  reason: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type PopPhoto = z.infer<typeof popPhoto>

/** What became of one file of an upload. */
const addedPhoto = z.strictObject({
  name: z.string(),
  outcome: z.enum(['added', 'already', 'refused']),
  /** Why it was refused. */
  error: z.string().optional(),
  photo: popPhoto.optional(),
})

const latitude = z.number('Must be a number.').min(-90, 'Must be at least -90.').max(90, 'Must be at most 90.')
const longitude = z.number('Must be a number.').min(-180, 'Must be at least -180.').max(180, 'Must be at most 180.')

export const photoUpload = z
  .strictObject({
    /** Where it belongs, if the sender knows; otherwise it is proposed from who took it, when and where. */
    programUid: uid.optional(),
    marketUid: uid.optional(),
    shiftUid: uid.optional(),
    caption: line(300).prefault(''),
    /** For photos whose camera says nothing. They prove nothing. */
    takenAt: instant.optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
  })
  .refine((given) => (given.latitude === undefined) === (given.longitude === undefined), {
    path: ['longitude'],
    message: 'Give latitude and longitude together.',
  })

export const photoInput = z.strictObject({
  caption: line(300).prefault(''),
  status: photoStatus,
  marketUid: uid.nullable(),
  shiftUid: uid.nullable(),
})
export type PhotoInput = z.input<typeof photoInput>

/** How many photos come with one call, and how large each may be. */
export const PHOTOS_AT_ONCE = 10
export const MAX_PHOTO_BYTES = 30 * 1024 * 1024
/** What cameras and phones write. HEIC is refused with a sentence: phones convert it when asked for JPEG. */
export const photoTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'] as const

const popVersion = z.strictObject({
  number: z.int(),
  publishedAt: instant,
  publishedBy: z.string().nullable(),
  note: z.string(),
  changes: z.string(),
  sha256: z.string(),
  isShown: z.boolean(),
  pdf: z.enum(['waiting', 'ready', 'failed']),
})
export type PopVersion = z.infer<typeof popVersion>

const view = { module: 'pop', needs: 'view' } as const
const edit = { module: 'pop', needs: 'edit', reach: 'all' } as const
const own = { module: 'pop', needs: 'edit' } as const
const ofOne = z.strictObject({ uid })
const popUrl = z.string().min(1).max(100)
const size = z.enum(['small', 'medium', 'large'])

// Answers with a file instead of JSON.
const content = z.unknown()

const marketFigures = z.strictObject({ market: z.string(), ...popFigures.shape })

export const pops = {
  list: endpoint({
    method: 'GET',
    path: 'client-pop/run',
    access: view,
    summary:
      'The POPs of programs with their figures. Clients see their own programs’, drivers those of programs they drive for.',
    query: listQuery(['name', 'startsOn', 'endsOn', 'updatedAt'], {
      client: anyOf(uid).optional(),
      state: anyOf(popState).optional(),
      /** Only those with photos that wait for approval. */
      waiting: z.literal('yes', 'Must be yes.').optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(popRow),
  }),
  get: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}',
    access: view,
    summary: 'One POP with its text and its markets in order.',
    added: true,
    params: ofOne,
    reply: one(pop),
  }),
  addPhotos: endpoint({
    method: 'POST',
    path: 'client-pop/',
    access: own,
    summary:
      'Adds photos. Where they belong is proposed from who took them, when and where; drivers add to own shifts.',
    body: photoUpload,
    // Browsers that do not know a kind of file announce bytes; what they are is looked at anyway.
    files: {
      photos: { count: PHOTOS_AT_ONCE, bytes: MAX_PHOTO_BYTES, types: [...photoTypes, 'application/octet-stream'] },
    },
    // The same file twice in a program is one photo.
    repeatable: true,
    reply: one(z.array(addedPhoto)),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'client-pop/',
    access: edit,
    summary: 'Changes text, cover and last day of a POP. An old version answers 409.',
    body: popInput.extend({ uid, version }),
    reply: one(pop),
  }),
  saveMarkets: endpoint({
    method: 'PUT',
    path: 'client-pop/pop-market',
    access: edit,
    summary: 'Makes the markets of a POP these, in this order: headline, text, dates, shown or hidden.',
    body: z.strictObject({ uid, version, markets: z.array(popMarketInput).max(200, 'At most 200 markets.') }),
    reply: one(pop),
  }),
  publish: endpoint({
    method: 'POST',
    path: 'client-pop/program-pop',
    access: edit,
    summary: 'Publishes a POP: freezes text, photos and figures as the next version, with a hash, and shows it.',
    body: z.strictObject({ uid, version, note: line(500).prefault('') }),
    reply: one(popVersion),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: 'client-pop/withdraw',
    access: edit,
    summary: 'Takes the public page away, or shows its newest version again.',
    added: true,
    body: z.strictObject({ uid, version, isShown: z.boolean('Must be true or false.').prefault(false) }),
    reply: one(pop),
  }),
  milesDriven: endpoint({
    method: 'GET',
    path: 'client-pop/miles-driven',
    access: view,
    summary: 'What was driven and played for a program up to now, in all and by market.',
    query: z.strictObject({ programUid: uid }),
    reply: one(z.strictObject({ total: popFigures, markets: z.array(marketFigures) })),
  }),
  preview: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/preview',
    access: { module: 'pop', needs: 'view', reach: 'all' },
    summary: 'What would be published now, as the page itself.',
    added: true,
    params: ofOne,
    reply: one(
      z.strictObject({
        html: z.string(),
        document: popDocument,
        /** What publishing would note as changed since the newest version; empty while there is none. */
        changes: z.string(),
      }),
    ),
  }),
  versions: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/versions',
    access: view,
    summary: 'The published versions, newest first.',
    added: true,
    params: ofOne,
    reply: one(z.array(popVersion)),
  }),
  versionFile: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/versions/{number}/{format}',
    access: view,
    summary: 'A version as a file: its document (json), whose SHA-256 is the version’s hash, or the PDF.',
    added: true,
    params: z.strictObject({
      uid,
      number: z
        .string()
        .regex(/^\d{1,6}$/, 'Must be a number.')
        .transform(Number),
      format: z.enum(['json', 'pdf'], 'Must be json or pdf.'),
    }),
    reply: content,
  }),
  history: historyOf('client-pop', edit),

  photos: endpoint({
    method: 'GET',
    path: 'client-pop/photos/run',
    access: view,
    summary: 'Photos in the order of the page. Drivers see their own, clients the approved ones of their programs.',
    added: true,
    query: listQuery(['position', 'takenAt', 'createdAt'], {
      program: anyOf(uid).optional(),
      market: anyOf(uid).optional(),
      shift: anyOf(uid).optional(),
      status: anyOf(photoStatus).optional(),
      grade: anyOf(popGrade).optional(),
    }).omit({ format: true }),
    reply: page(popPhoto),
  }),
  photo: endpoint({
    method: 'GET',
    path: 'client-pop/photos/{uid}',
    access: view,
    summary: 'One photo.',
    added: true,
    params: ofOne,
    reply: one(popPhoto),
  }),
  updatePhoto: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/',
    access: own,
    summary: 'Changes a photo’s caption, status, market or shift. Drivers write the captions of own photos that wait.',
    added: true,
    body: photoInput.extend({ uid, version }),
    reply: one(popPhoto),
  }),
  setPhotoStatus: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/status',
    access: edit,
    summary: 'Approves, hides or sets back several photos at once.',
    added: true,
    body: z.strictObject({ uids: z.array(uid).min(1).max(200, 'At most 200 photos.'), status: photoStatus }),
    reply: one(z.strictObject({ changed: z.int() })),
  }),
  movePhoto: endpoint({
    method: 'PUT',
    path: 'client-pop/photos/move',
    access: edit,
    summary: 'Moves a photo within its market: in front of another, or to the end.',
    added: true,
    body: z.strictObject({ uid, before: uid.nullable() }),
    reply: one(z.strictObject({ uid })),
  }),
  removePhoto: endpoint({
    method: 'DELETE',
    path: 'client-pop/photos/{uid}',
    access: own,
    summary: 'Deletes a photo; versions that show it keep it. Drivers delete own photos that wait.',
    added: true,
    params: ofOne,
    reply: one(ofOne),
  }),
  photoHistory: historyOf('client-pop/photos', edit),
  picture: endpoint({
    method: 'GET',
    path: 'client-pop/pictures/{key}/{size}',
    access: 'public',
    summary: 'A photo’s picture, for whoever holds its signed address.',
    added: true,
    params: z.strictObject({ key: z.string().regex(/^[0-9a-f]{32}$/), size }),
    query: z.strictObject({
      expires: z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
      signature: z.string().max(100),
    }),
    reply: content,
  }),
  newest: endpoint({
    method: 'GET',
    path: 'overview/pop-photos',
    access: { module: 'overview', needs: 'view' },
    summary: 'The newest photos.',
    query: listQuery(['createdAt', 'takenAt'], { day: day.optional() }).omit({ format: true }),
    reply: page(popPhoto),
  }),
}

/** What anybody may see of a published program, by the name in its address. Nothing tells an unknown from a hidden one. */
export const publicPop = {
  milesDriven: endpoint({
    method: 'GET',
    path: 'public/miles-driven',
    access: 'public',
    summary: 'The figures of a published program, as its version froze them.',
    query: z.strictObject({ popUrl }),
    reply: one(popFigures),
  }),
  marketMilesDriven: endpoint({
    method: 'GET',
    path: 'public/market-miles-driven',
    access: 'public',
    summary: 'The same by market.',
    query: z.strictObject({ popUrl, market: line(120).optional() }),
    reply: one(z.array(marketFigures)),
  }),
  document: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/document',
    access: 'public',
    summary: 'The shown version, whole: its SHA-256 is the hash on the page.',
    added: true,
    params: z.strictObject({ popUrl }),
    reply: content,
  }),
  picture: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/pictures/{key}/{size}',
    access: 'public',
    summary: 'A picture of the shown version.',
    added: true,
    params: z.strictObject({ popUrl, key: z.string().regex(/^[0-9a-f]{32}$/), size }),
    reply: content,
  }),
  pdf: endpoint({
    method: 'GET',
    path: 'public/pop/{popUrl}/pdf',
    access: 'public',
    summary: 'The shown version as a PDF.',
    added: true,
    params: z.strictObject({ popUrl }),
    reply: content,
  }),
}
