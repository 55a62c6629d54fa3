import { DAY_MS } from '../platform/durations.ts'
import * as z from '../platform/zod.ts'
import { instant, paragraph, requiredLine, textLine, uid } from '../platform/common.ts'
import { macAddress } from '../catalog/devices.ts'
import type { LoopLine } from '../planning/loop-lines.ts'
import { latitude, longitude } from '../platform/geo.ts'
import { truckSides } from '../catalog/pixel-maps.ts'
import { reportedIssueKinds } from '../catalog/truck-issues.ts'

/** Messages of devices over the socket, validated on arrival. */

export const deviceClientTypes = ['driver', 'player', 'player-web'] as const
export type DeviceClientType = (typeof deviceClientTypes)[number]

/** The `auth` of a device's handshake: the MAC address identifies the device, the key proves it. */
export const deviceHandshake = z.object({
  clientType: z.enum(deviceClientTypes),
  macAddress,
  key: z.string().min(20).max(200),
})

const at = instant
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'Must be a SHA-256 hash in hexadecimal.')
const place = z.strictObject({ latitude, longitude }).nullable().prefault(null)

/** The most rows of one message. */
export const MAX_BATCH = 1000

/** One ad that a player has shown, with its own id and sequence number. */
export const play = z.strictObject({
  playId: requiredLine(64),
  /** Counts the plays of this player from 1; a gap is a missing play. */
  sequence: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  artworkSetUid: uid,
  sha256,
  side: z.enum(truckSides),
  startedAt: at,
  durationMs: z.int().min(0).max(DAY_MS),
  place,
  /** The SD address it was shown for. */
  addressUid: uid.nullable().prefault(null),
})
export type Play = z.input<typeof play>

/** A driver starts or stops a shift. */
export const driverShift = z.strictObject({
  eventId: requiredLine(64),
  shiftUid: uid,
  kind: z.enum(['start', 'stop']),
  at,
})
export type DriverShift = z.input<typeof driverShift>

/** An issue that a driver reports about the truck. */
export const driverIssue = z.strictObject({
  eventId: requiredLine(64),
  kind: z.enum(reportedIssueKinds),
  text: paragraph(500).prefault(''),
  at,
  /** A stored file with the purpose `issue`. */
  photoFileUid: uid.nullable().prefault(null),
})
export type DriverIssue = z.input<typeof driverIssue>

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().prefault(null)

export const gpsSources = ['bridge', 'browser', 'server'] as const

/** What a player says about its screen; a figure that it cannot measure is null. */
export const screenHealth = z.strictObject({
  /** The files of its manifest that it holds, complete and with the right hash. */
  filesHeld: count,
  filesNeeded: count,
  bytesHeld: count,
  bytesNeeded: count,
  /** How far its clock is ahead of the server's, by its own reckoning. */
  clockOffsetMs: z.int().nullable().prefault(null),
  /** Frames since the page started that came too late, and all frames. */
  droppedFrames: count,
  shownFrames: count,
  /** Plays that are not acknowledged yet, and plays that were lost because its store was full. */
  playsWaiting: count,
  playsLost: count,
  /** Where its fixes come from. A player without GPS of its own says `server`, or null while it has none at all. */
  gpsSource: z.enum(gpsSources).nullable().prefault(null),
  lastProblem: textLine(300).nullable().prefault(null),
})
export type ScreenHealth = z.input<typeof screenHealth>

/** The health report of a device. */
export const deviceHealth = z.strictObject({
  at,
  files: z.array(sha256).max(2000).prefault([]),
  gpsFix: z.boolean(),
  freeBytes: z.int().min(0).nullable().prefault(null),
  appVersion: textLine(40).prefault(''),
  /** Only players with a screen of their own report it. */
  screen: screenHealth.nullable().prefault(null),
})
export type DeviceHealth = z.input<typeof deviceHealth>

/** A health report in a list: it may have waited for a connection, and it has an id so that it can be sent again. */
export const deviceHealthReport = deviceHealth.extend({
  reportId: requiredLine(64),
  /** The device's clock when it sent the list: tells how old the report is, even by a wrong clock. */
  sentAt: at,
})
export type DeviceHealthReport = z.input<typeof deviceHealthReport>

/** The answer to a list of health reports. */
export type HealthBatchAck = { rows: RowAck[]; clockOffsetMs: number | null } | { error: string }

/**
 * The result of one row. After `accepted` or `duplicate` the row is stored, and the device can delete it. A `rejected` row
 * is counted and never stored: sending it again does not help. After `later` the device keeps the row and sends it again.
 */
export interface RowAck {
  id: string
  result: 'accepted' | 'duplicate' | 'rejected' | 'later'
  /** Why the row was not stored, or why an accepted row changes nothing. */
  reason?: string
}

/** The answer to a batch. After an error nothing is stored; the device sends the batch again later. */
export type BatchAck = { rows: RowAck[] } | { error: string }

/** A file that a player must have. */
export interface PlayerFile {
  side: (typeof truckSides)[number]
  sha256: string
  contentType: string
  size: number
  durationMs: number | null
  /** Signed, and valid for a day. */
  url: string
}

export interface PlayerSet {
  artworkSetUid: string
  name: string
  files: PlayerFile[]
}

/** A line of a loop, as planning/loop-lines.ts has it, with its artwork. */
export interface PlayerLine extends Omit<LoopLine, 'spotMs'> {
  /** Of the shift's own program, its artwork stands for an address that has none. Absent from older servers. */
  programUid?: string
  /** Null for as long as its artwork. */
  spotMs: number | null
  /** Null while it has no approved artwork: its turns show the fallback. */
  artwork: PlayerSet | null
}

export interface PlayerLoop {
  /** The time zone of the market. */
  zone: string
  lines: PlayerLine[]
}

/** The plan of a player: current and next shifts, and the artwork near addresses. */
export interface PlayerData {
  truck: { uid: string; number: string }
  /** The LED canvas and the area of each side; null for a truck without one. */
  pixelMap: {
    width: number
    height: number
    sides: Record<string, { x: number; y: number; width: number; height: number }>
  } | null
  shifts: {
    uid: string
    programUid: string
    startsAt: string
    endsAt: string
    /** How long each spot lasts; null for as long as its artwork. Absent from older servers. */
    spotMs?: number | null
    /** Null if the shift has no approved artwork. */
    artwork: PlayerSet | null
    /** The lines that share the screen; null or absent where `artwork` has it for itself. */
    loop?: PlayerLoop | null
    addresses: {
      uid: string
      label: string
      latitude: number
      longitude: number
      radiusM: number
      /** Null for the artwork of the shift. */
      artwork: PlayerSet | null
    }[]
  }[]
  /** The house artwork for a shift without approved artwork; null or absent for a black screen. */
  fallback?: PlayerSet | null
  serverTime: string
}

/** The plan of a driver: truck, shifts and contacts. */
export interface DriverData {
  truck: { uid: string; number: string; plate: string }
  shifts: {
    uid: string
    driver: string
    client: string
    program: string
    market: string
    zone: string
    date: string
    start: string
    end: string
    startsAt: string
    endsAt: string
    status: string
    artworkSet: string | null
    note: string
    contacts: { name: string; phone: string }[]
  }[]
  serverTime: string
}

export interface TestAnswer {
  got: unknown
  serverTime: string
  clientType: string
}

export const deviceCommandKinds = [
  'showScreen',
  'restart',
  'download',
  'testPattern',
  'blank',
  'volumeOff',
  'volumeOn',
  'reload',
] as const
export type DeviceCommandKind = (typeof deviceCommandKinds)[number]

/** A command for a player. It may arrive twice; the second time the player only answers. */
export interface DeviceCommand {
  commandUid: string
  kind: DeviceCommandKind
  /** When the server stops waiting for the answer, by its own clock. */
  expiresAt: string
  /** How long a test pattern or a blank screen lasts; null until the next command. */
  seconds: number | null
}

/** The most bytes of the picture of a screen, before they are written in base64. */
export const MAX_SCREEN_PICTURE_BYTES = 400_000

/** The answer of a player to a command. */
export const deviceCommandAnswer = z.strictObject({
  result: z.enum(['done', 'refused']),
  reason: textLine(300).optional(),
  /** The picture of the screen as a JPEG in base64. */
  picture: z
    .string()
    .max(Math.ceil(MAX_SCREEN_PICTURE_BYTES / 3) * 4, 'The picture is too large.')
    .regex(/^[A-Za-z0-9+/]*={0,2}$/, 'Not base64.')
    .optional(),
})
export type DeviceCommandAnswer = z.input<typeof deviceCommandAnswer>

/** The position of its truck as the server knows it, for a player without GPS. */
export interface TruckPosition {
  latitude: number
  longitude: number
  at: string
  speedKmh: number | null
}

/** Events that devices send; each is answered. */
export interface DeviceToServer {
  test: (payload: unknown, answer: (reply: TestAnswer) => void) => void
  'get-driver-data': (answer: (reply: DriverData | { error: string }) => void) => void
  'get-player-data': (answer: (reply: PlayerData | { error: string }) => void) => void
  'get-player-data-web': (answer: (reply: PlayerData | { error: string }) => void) => void
  'player-plays': (plays: Play[], answer: (reply: BatchAck) => void) => void
  'driver-shift': (events: DriverShift[], answer: (reply: BatchAck) => void) => void
  'driver-issue': (issues: DriverIssue[], answer: (reply: BatchAck) => void) => void
  /** One report of this moment, or a list of reports that may have waited. */
  'device-health': (
    health: DeviceHealth | DeviceHealthReport[],
    answer: (reply: { clockOffsetMs: number } | HealthBatchAck) => void,
  ) => void
}

/** Events that the server pushes to devices. */
export interface ServerToDevice {
  'get-driver-data': (data: DriverData) => void
  'get-player-data': (data: PlayerData) => void
  'get-player-data-web': (data: PlayerData) => void
  /** The key was revoked; the device must be paired again. */
  'device-ended': () => void
  'device-command': (command: DeviceCommand, answer: (reply: DeviceCommandAnswer) => void) => void
  'truck-position': (position: TruckPosition) => void
}
