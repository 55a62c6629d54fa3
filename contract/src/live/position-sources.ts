import * as z from '../platform/zod.ts'
import { instant, namedRef, one, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
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
/** Sources that know trucks by ids of their own. */
export const trackingSourceKinds = [...sendingSourceKinds, 'samsara', 'file'] as const

export const positionSourceStateLabel = { active: 'Active', revoked: 'Key revoked', off: 'Off' } as const
export type PositionSourceState = keyof typeof positionSourceStateLabel

/** Those of sources that are always there have no version of a UUID. */
const sourceUid = z.guid('Not a valid id.')
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
  /** How many trucks it knows. */
  trucks: z.int(),
  /** How many ids it sends that belong to no truck. */
  unknownIds: z.int(),
  createdAt: instant,
  createdBy: namedRef.nullable(),
  /** When its key was last used. */
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
}

/** The id of a truck at a source. */
const externalId = requiredLine(100)

export const truckTracker = z.strictObject({
  source: sourceRef,
  kind: positionSourceKind,
  /** Empty for the phone of its driver and its player, which need none. */
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
    body: z.strictObject({ sourceUid, externalId }),
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
