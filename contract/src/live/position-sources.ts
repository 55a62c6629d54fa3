import * as z from '../platform/zod.ts'
import { positionSourceUid as sourceUid, trackerId as externalId, trackerInput } from '../catalog/truck-trackers.ts'
import { instant, namedRef, one, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import type { FileRule } from '../platform/endpoint.ts'
import { MAX_BATCH } from './device-events.ts'

export const positionSourceKindLabel = {
  geotab: 'MyGeotab',
  samsara: 'Samsara',
  osmand: 'OsmAnd protocol',
  traccar: 'Traccar',
  json: 'JSON batches',
  file: 'Files',
  phone: "Driver's phone",
  player: 'Player',
} as const
export type PositionSourceKind = keyof typeof positionSourceKindLabel
const kinds = Object.keys(positionSourceKindLabel) as [PositionSourceKind, ...PositionSourceKind[]]
export const positionSourceKind = z.enum(kinds, 'Choose a kind of source.')

/** Sources that send by themselves, each with a key of its own. The others are asked, uploaded, or always there. */
export const sendingSourceKinds = ['osmand', 'traccar', 'json'] as const
/** Sources that know trucks by ids of their own. A file is uploaded for one truck and needs none. */
export const trackingSourceKinds = [...sendingSourceKinds, 'samsara'] as const
/** Sources that are asked, each with an account. There is one MyGeotab, which is always in the list. */
export const polledSourceKinds = ['geotab', 'samsara'] as const
export type PolledSourceKind = (typeof polledSourceKinds)[number]

export const positionSourceStateLabel = {
  active: 'Active',
  revoked: 'Key revoked',
  unset: 'No account',
  off: 'Off',
} as const
export type PositionSourceState = keyof typeof positionSourceStateLabel

/** Where a source is asked and as whom. Its password or token never leaves the server. */
const sourceAccount = z.strictObject({
  server: z.string(),
  /** MyGeotab's; empty for others. */
  database: z.string(),
  user: z.string(),
  /** Whether the settings of the server name it: then it cannot be changed here. */
  isSetByServer: z.boolean(),
  savedAt: instant.nullable(),
  savedBy: namedRef.nullable(),
})
export type SourceAccount = z.infer<typeof sourceAccount>

const sourceRef = z.strictObject({ uid: sourceUid, name: z.string() })

export const positionSource = z.strictObject({
  uid: sourceUid,
  name: z.string(),
  kind: positionSourceKind,
  state: z.enum(Object.keys(positionSourceStateLabel) as [PositionSourceState, ...PositionSourceState[]]),
  /** MyGeotab of the settings, phones and players: always there, without a key. */
  isBuiltIn: z.boolean(),
  /** The first characters of its key, by which people recognize it; empty without one. */
  keyStart: z.string(),
  /** Null for sources without one. */
  account: sourceAccount.nullable(),
  /** How many trucks it knows. */
  trucks: z.int(),
  /** How many ids it sends that belong to no truck. */
  unknownIds: z.int(),
  createdAt: instant,
  createdBy: namedRef.nullable(),
  /** When its key was last used, or when it last answered. */
  lastSeenAt: instant.nullable(),
  /** From where it was last used. */
  lastAddress: z.string().nullable(),
  /** The newest position that it has for any truck, to the minute. */
  lastFixAt: instant.nullable(),
  /** What was wrong with what it sent, in a sentence. */
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
})
export type PositionSource = z.infer<typeof positionSource>

const sourceName = requiredLine(80)
const isAdmin = { role: 'admin' } as const
const withKey = one(z.strictObject({ source: positionSource, key: z.string() }))

/** Where Samsara answers companies in the United States. */
export const SAMSARA_SERVER = 'https://api.samsara.com'
const server = requiredLine(200)
const secret = z.string().trim().max(2000, 'At most 2,000 characters.')
const accountLine = z.string().trim().max(100, 'At most 100 characters.')
export const newPolledSource = z.strictObject({
  name: sourceName,
  kind: z.literal('samsara', 'Choose samsara.'),
  server: server.prefault(SAMSARA_SERVER),
  /** An API token with the right to read vehicle statistics. */
  secret: secret.min(1, 'Enter the API token.'),
})
export type NewPolledSource = z.input<typeof newPolledSource>
export const accountInput = z.strictObject({
  server,
  database: accountLine.prefault(''),
  user: accountLine.prefault(''),
  /** Empty to keep the one that is stored. */
  secret: secret.prefault(''),
})
export type AccountInput = z.input<typeof accountInput>

const sourceTest = z.strictObject({ isWorking: z.boolean(), text: z.string() })

export const sources = {
  list: endpoint({
    method: 'GET',
    path: 'position-sources/run',
    access: isAdmin,
    summary: 'Where positions come from: every source with its state, oldest first.',
    follows: ['trackers', 'fleet'],
    atMostEvery: 10,
    added: true,
    reply: one(z.array(positionSource)),
  }),
  create: endpoint({
    method: 'POST',
    path: 'position-sources/',
    access: isAdmin,
    summary:
      'Adds a source that sends positions. Its key is in this answer only; the server keeps a hash of it. The key places the trucks of this source and reads nothing.',
    added: true,
    secret: true,
    body: z.strictObject({ name: sourceName, kind: z.enum(sendingSourceKinds, 'Choose osmand, traccar or json.') }),
    reply: withKey,
  }),
  rename: endpoint({
    method: 'PUT',
    path: 'position-sources/{uid}',
    access: isAdmin,
    summary: 'Gives a source another name.',
    added: true,
    params: z.strictObject({ uid: sourceUid }),
    body: z.strictObject({ name: sourceName }),
    reply: one(positionSource),
  }),
  renewKey: endpoint({
    method: 'POST',
    path: 'position-sources/{uid}/key',
    access: isAdmin,
    summary: 'Gives a source a new key; the one before ends at once.',
    added: true,
    secret: true,
    params: z.strictObject({ uid: sourceUid }),
    reply: withKey,
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: 'position-sources/{uid}/key',
    access: isAdmin,
    summary: 'Ends the key of a source at once, on every node. Its positions and the ids of its trucks stay.',
    added: true,
    params: z.strictObject({ uid: sourceUid }),
    reply: one(positionSource),
  }),
  addPolled: endpoint({
    method: 'POST',
    path: 'position-sources/accounts',
    access: isAdmin,
    summary:
      'Adds a source that is asked for positions, with its account. The token is stored encrypted and is never shown again.',
    added: true,
    body: newPolledSource,
    reply: one(positionSource),
  }),
  saveAccount: endpoint({
    method: 'PUT',
    path: 'position-sources/{uid}/account',
    access: isAdmin,
    summary:
      'Saves the account of a source that is asked: MyGeotab or Samsara. An empty secret keeps the stored one, unless the server or the user changes.',
    added: true,
    params: z.strictObject({ uid: sourceUid }),
    body: accountInput,
    reply: one(positionSource),
  }),
  removeAccount: endpoint({
    method: 'DELETE',
    path: 'position-sources/{uid}/account',
    access: isAdmin,
    summary: 'Removes the account of a source, which is asked no more. Its positions and the ids of its trucks stay.',
    added: true,
    params: z.strictObject({ uid: sourceUid }),
    reply: one(positionSource),
  }),
  test: endpoint({
    method: 'POST',
    path: 'position-sources/{uid}/test',
    access: isAdmin,
    summary:
      'Tests a source now: one that is asked is asked for the newest positions; for the others it says when they last sent one.',
    rate: 'report',
    added: true,
    repeatable: true,
    params: z.strictObject({ uid: sourceUid }),
    reply: one(sourceTest),
  }),
}

export const truckTracker = z.strictObject({
  source: sourceRef,
  kind: positionSourceKind,
  /** Empty for the phone of its driver, its player and files, which need none. */
  externalId: z.string(),
  /** The newest position of this truck from this source, to the minute. */
  lastFixAt: instant.nullable(),
  /** Whether it can be removed here: the Geotab id is a field of the truck. */
  isRemovable: z.boolean(),
})
export type TruckTracker = z.infer<typeof truckTracker>

const unknownTracker = z.strictObject({
  source: sourceRef,
  kind: positionSourceKind,
  externalId: z.string(),
  fixes: z.int(),
  firstAt: instant,
  lastAt: instant,
})
export type UnknownTracker = z.infer<typeof unknownTracker>

const truckTrackersReply = one(
  z.strictObject({
    trackers: z.array(truckTracker),
    /** The sources at which the truck can be given an id. */
    sources: z.array(sourceRef.extend({ kind: positionSourceKind })),
  }),
)

const view = { module: 'trucks', needs: 'view', reach: 'all' } as const
const edit = { module: 'trucks', needs: 'edit', reach: 'all' } as const

export const truckTrackers = {
  get: endpoint({
    method: 'GET',
    path: 'truck-trackers/{uid}',
    access: view,
    summary: 'The trackers of a truck: its id at each source and the newest position from there.',
    follows: ['trackers', 'trucks', 'fleet'],
    atMostEvery: 10,
    added: true,
    params: z.strictObject({ uid }),
    reply: truckTrackersReply,
  }),
  unknown: endpoint({
    method: 'GET',
    path: 'truck-trackers/unknown',
    access: view,
    summary: 'Ids that sources send and that belong to no truck, the newest 200.',
    follows: ['trackers', 'fleet'],
    atMostEvery: 10,
    added: true,
    reply: one(z.array(unknownTracker)),
  }),
  add: endpoint({
    method: 'POST',
    path: 'truck-trackers/{uid}',
    access: edit,
    summary: 'Gives a truck its id at a source. Positions count from now on; an id that another truck has is refused.',
    added: true,
    params: z.strictObject({ uid }),
    body: trackerInput,
    reply: truckTrackersReply,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'truck-trackers/{uid}',
    access: edit,
    summary: 'Takes its id at a source from a truck. Its positions stay.',
    added: true,
    params: z.strictObject({ uid }),
    query: z.strictObject({ sourceUid, externalId }),
    reply: truckTrackersReply,
  }),
}

/** A file with the track of a truck; what it really is, the server finds out for itself. */
export const TRACK_FILE = {
  count: 1,
  bytes: 10 * 1024 * 1024,
  types: [
    'application/gpx+xml',
    'application/xml',
    'text/xml',
    'application/geo+json',
    'application/json',
    'text/csv',
    'text/plain',
    'application/vnd.ms-excel',
    'application/octet-stream',
  ],
} as const satisfies FileRule
/** A file of a day has one fix a second at most. */
export const MAX_TRACK_FIXES = 100_000

const trackFileReply = z.strictObject({
  saved: z.boolean(),
  /** Identifies what would be saved; the request that saves sends it back. */
  digest: z.string(),
  format: z.enum(['GPX', 'GeoJSON', 'CSV']),
  /** How many positions of the file can be stored. */
  fixes: z.int(),
  /** The first and the last of them. */
  from: instant.nullable(),
  to: instant.nullable(),
  /** By GPS, between the first and the last. */
  miles: z.number(),
  /** Those at whose moment the truck has a position already. They count once. */
  known: z.int(),
  /** Why the others are left out. */
  leftOut: z.array(z.strictObject({ reason: z.string(), count: z.int() })),
  /** What to know, such as speeds without a unit. */
  notes: z.array(z.string()),
})
export type TrackFileResult = z.infer<typeof trackFileReply>

export const trackFiles = {
  upload: endpoint({
    method: 'POST',
    path: 'truck-trackers/{uid}/file',
    access: edit,
    keys: false,
    summary:
      'Reads a GPX, GeoJSON or CSV file with the track of a truck and says what it would bring. With `save` and the digest of that check its positions are stored; those that are there already count once.',
    rate: 'upload',
    added: true,
    params: z.strictObject({ uid }),
    body: z
      .strictObject({
        save: z.boolean('Must be true or false.'),
        digest: z.string().max(100).optional(),
        /** The zone of times that name none; UTC unless given. */
        zone: z.string().max(60).optional(),
      })
      .refine(({ save, digest }) => !save || digest !== undefined, {
        path: ['digest'],
        error: 'Check the file first.',
      }),
    files: { file: TRACK_FILE },
    reply: one(trackFileReply),
  }),
}

/** A row of a batch of positions. */
export const sentPosition = z.strictObject({
  /** The sender's id of the row, by which it is answered. */
  id: z.string('Must be text.').max(64, 'At most 64 characters.').optional(),
  /** The id of the truck at this source. */
  tracker: z.union([z.string(), z.number()], 'Must be the id of a tracker.'),
  /** ISO 8601, or seconds or milliseconds since 1970. */
  at: z.union([z.string(), z.number()], 'Must be a time.'),
  latitude: z.number('Must be a number.'),
  longitude: z.number('Must be a number.'),
  speed: z.number('Must be a number.').nullable().optional(),
  speedUnit: z.enum(['kmh', 'mph', 'ms', 'knots'], 'Must be kmh, mph, ms or knots.').optional(),
  /** In degrees. */
  heading: z.number('Must be a number.').nullable().optional(),
  /** How far the place may be off, in meters. */
  accuracy: z.number('Must be a number.').nullable().optional(),
})
export type SentPosition = z.infer<typeof sentPosition>

const rowAck = z.strictObject({
  id: z.string(),
  result: z.enum(['accepted', 'duplicate', 'rejected', 'later']),
  reason: z.string().optional(),
})

export const sentPositions = {
  send: endpoint({
    method: 'POST',
    path: 'telemetry/positions',
    access: 'public',
    summary: `Stores up to ${MAX_BATCH} positions, with the key of a source of the kind json in \`Authorization: Bearer\`. Each row is answered in its place: accepted, duplicate, later (its time is ahead) or rejected, with the reason.`,
    added: true,
    repeatable: true,
    body: z.strictObject({ positions: z.array(z.unknown()).max(MAX_BATCH, `At most ${MAX_BATCH} positions.`) }),
    reply: z.strictObject({ rows: z.array(rowAck) }),
  }),
}
