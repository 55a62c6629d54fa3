import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  textLine,
  listQuery,
  namedRef,
  one,
  page,
  paragraph,
  uid,
  version,
} from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { pathNumber } from '../platform/path-number.ts'
import { historyEndpoint } from '../platform/history.ts'
import { popDay, popDocument, popFigures, popMarketFigures } from './pop-document.ts'
import { photoCalls } from './photos.ts'

export * from './photos.ts'

/** What the public sees: nothing yet, the newest version, nothing since a withdrawal, or nothing since the last day. */
export const popStates = ['unpublished', 'published', 'withdrawn', 'ended'] as const
const popState = z.enum(popStates, `Choose ${popStates.join(', ')}.`)
export type PopState = z.infer<typeof popState>
export const popStateLabel: Record<PopState, string> = {
  unpublished: 'Not published',
  published: 'Published',
  withdrawn: 'Withdrawn',
  ended: 'Ended',
}

/** A market, which is a chapter of the page. */
const popMarket = z.strictObject({
  market: namedRef,
  headline: z.string(),
  text: z.string(),
  /** The dates on the page; null for those of the program. */
  startsOn: day.nullable(),
  endsOn: day.nullable(),
  isShown: z.boolean(),
  photos: z.int(),
})
export type PopMarket = z.infer<typeof popMarket>

/** The POP of a program, under the uid of the program. */
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
  /** The last public day. */
  shownUntil: day.nullable(),
  photos: z.int(),
  photosWaiting: z.int(),
  /** Miles and plays are live: those of now, not those of the public version. */
  metres: z.number(),
  plays: z.int(),
  /** Shifts that took place, and those of which miles or plays could not be recorded. */
  shiftCounts: z.strictObject({ all: z.int(), withoutGps: z.int(), printed: z.int() }),
  /** The frozen figures of the newest version; null before the first one. */
  newestVersion: z
    .strictObject({ number: z.int(), publishedAt: instant, metres: z.number(), plays: z.int(), photos: z.int() })
    .nullable(),
  views: z.int(),
  updatedAt: instant,
  version,
})
export type PopRow = z.infer<typeof popRow>

export const pop = popRow.extend({
  headline: z.string(),
  text: z.string(),
  coverPhotoUid: uid.nullable(),
  /** When the password of the public page was set; null for a page that anyone may open. */
  passwordSetAt: instant.nullable(),
  markets: z.array(popMarket),
})
export type Pop = z.infer<typeof pop>

export const popInput = z.strictObject({
  headline: textLine(160).prefault(''),
  text: paragraph(5000).prefault(''),
  coverPhotoUid: uid.nullable().prefault(null),
  shownUntil: day.nullable().prefault(null),
})
export type PopInput = z.input<typeof popInput>

const popMarketInput = z
  .strictObject({
    marketUid: uid,
    headline: textLine(160).prefault(''),
    text: paragraph(5000).prefault(''),
    startsOn: day.nullable().prefault(null),
    endsOn: day.nullable().prefault(null),
    isShown: z.boolean('Must be true or false.').prefault(true),
  })
  .refine(({ startsOn, endsOn }) => !startsOn || !endsOn || endsOn >= startsOn, {
    path: ['endsOn'],
    message: 'Must not be before the start.',
  })

/** The password of a public page, which staff hands to readers. */
export const POP_PASSWORD_LENGTH = { min: 8, max: 100 }
const popPassword = z
  .string('Must be text.')
  .min(POP_PASSWORD_LENGTH.min, `Use at least ${POP_PASSWORD_LENGTH.min} characters.`)
  .max(POP_PASSWORD_LENGTH.max, `Use at most ${POP_PASSWORD_LENGTH.max} characters.`)

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
// Figures and published versions are for staff and clients.
const viewFigures = { ...view, except: ['driver'] } as const
const edit = { module: 'pop', needs: 'edit', reach: 'all' } as const
const ofOne = z.strictObject({ uid })

export const pops = {
  list: endpoint({
    method: 'GET',
    path: 'client-pop/run',
    access: view,
    ownRows: 'records',
    summary:
      'Lists POPs with their figures. Clients see those of their programs, drivers those of programs they drive for.',
    follows: ['pops', 'photos', 'programs'],
    query: listQuery(['name', 'waiting', 'startsOn', 'endsOn', 'updatedAt'], {
      client: anyOf(uid).optional(),
      state: anyOf(popState).optional(),
      /** Only POPs with photos waiting for approval. */
      waiting: z.literal('yes', 'Must be yes.').optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(popRow),
  }),
  get: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'Returns one POP with its text and its markets in order.',
    follows: ['pops'],
    added: true,
    params: ofOne,
    reply: one(pop),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'client-pop/',
    access: edit,
    summary:
      'Changes text, cover and last public day of a POP. What is not given stays as it is. An old version answers 409.',
    body: z.strictObject({
      uid,
      version,
      headline: textLine(160).optional(),
      text: paragraph(5000).optional(),
      coverPhotoUid: uid.nullable().optional(),
      shownUntil: day.nullable().optional(),
    }),
    reply: one(pop),
  }),
  saveMarkets: endpoint({
    method: 'PUT',
    path: 'client-pop/pop-market',
    access: edit,
    summary: 'Replaces the markets of a POP, in this order: headline, text, dates, shown or hidden.',
    body: z.strictObject({ uid, version, markets: z.array(popMarketInput).max(200, 'At most 200 markets.') }),
    reply: one(pop),
  }),
  publish: endpoint({
    method: 'POST',
    path: 'client-pop/program-pop',
    access: edit,
    keys: false,
    summary: 'Publishes a POP: freezes text, photos and figures as the next version with a hash, and makes it public.',
    body: z.strictObject({ uid, version, note: textLine(500).prefault('') }),
    reply: one(popVersion),
  }),
  withdraw: endpoint({
    method: 'POST',
    path: 'client-pop/withdraw',
    access: edit,
    keys: false,
    summary: 'Withdraws the public page, or shows its newest version again.',
    added: true,
    body: z.strictObject({ uid, version, isShown: z.boolean('Must be true or false.').prefault(false) }),
    reply: one(pop),
  }),
  setPassword: endpoint({
    method: 'PUT',
    path: 'client-pop/password',
    access: edit,
    keys: false,
    summary:
      'Sets the password that visitors of the public page are asked for, or removes it. Visitors who entered another one are asked again.',
    added: true,
    body: z.strictObject({ uid, version, password: popPassword.nullable() }),
    reply: one(pop),
  }),
  milesDriven: endpoint({
    method: 'GET',
    path: 'client-pop/miles-driven',
    access: viewFigures,
    ownRows: 'hours',
    summary: 'Returns the figures of a program up to now, in total and by market.',
    follows: ['pops'],
    query: z.strictObject({ programUid: uid }),
    reply: one(
      z.strictObject({
        total: popFigures,
        markets: z.array(popMarketFigures.extend({ marketUid: uid, perDay: z.array(popDay) })),
      }),
    ),
  }),
  preview: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/preview',
    access: { module: 'pop', needs: 'view', reach: 'all' },
    summary: 'Returns the page as it would be published now.',
    follows: ['pops'],
    added: true,
    params: ofOne,
    reply: one(
      z.strictObject({
        html: z.string(),
        document: popDocument,
        /** The changes since the newest version, in a sentence; empty without a version. */
        changes: z.string(),
        /** Plays that are still to be graded, which publishing does first, and plays without a track to grade them by. */
        grading: z.strictObject({
          waiting: z.int(),
          withoutTrack: z.int(),
          /** How far a long run of grading has come. */
          run: z.strictObject({ done: z.int(), total: z.int() }).nullable(),
        }),
        /** Approved photos that no market shows, the first of them by name. */
        photosWithoutMarket: z.strictObject({
          count: z.int(),
          first: z.array(z.strictObject({ uid, name: z.string(), url: z.string() })),
        }),
      }),
    ),
  }),
  versions: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/versions',
    access: viewFigures,
    ownRows: 'records',
    summary: 'Lists the published versions, newest first.',
    follows: ['pops'],
    // A PDF is made in the background and takes a while.
    atLeastEvery: (versions: PopVersion[]) => (versions.some(({ pdf }) => pdf === 'waiting') ? 3 : undefined),
    added: true,
    params: ofOne,
    reply: one(z.array(popVersion)),
  }),
  versionFile: endpoint({
    method: 'GET',
    path: 'client-pop/{uid}/versions/{number}/{format}',
    access: viewFigures,
    ownRows: 'records',
    summary: 'Returns a version as a file: its document (json), whose SHA-256 is the hash of the version, or its PDF.',
    added: true,
    params: z.strictObject({
      uid,
      number: pathNumber,
      format: z.enum(['json', 'pdf'], 'Must be json or pdf.'),
    }),
    // The reply is a file, not JSON.
    reply: z.unknown(),
  }),
  history: historyEndpoint('client-pop', edit),
  ...photoCalls,
}
