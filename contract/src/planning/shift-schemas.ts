import * as z from '../platform/zod.ts'
import { anyOf, day, instant, namedRef, paragraph, uid, version } from '../platform/common.ts'
import { earlierZones } from '../catalog/markets.ts'
import { issueKind, issueStatus } from '../catalog/truck-issues.ts'
import { programStatus } from '../catalog/programs.ts'
import { truckKinds, truckStates } from '../catalog/trucks.ts'
import { clock } from './clock.ts'
import { plannedStop, stopList, stopVisit } from './planned-stops.ts'
import { daysBetween } from './shift-time.ts'
import { startOutcomes } from './driver-marks.ts'
import { driverMark, driverSigns, shiftAnswers } from './driver-signs.ts'
import { payOption, shiftStatus } from './shift-status.ts'

export { clock } from './clock.ts'
export * from './driver-signs.ts'

/** The answers to filter by: `none` are planned shifts that wait for one, where drivers use the app. */
const answerFilter = z.enum([...shiftAnswers, 'none'], 'Choose confirmed, declined or none.')

const startOutcome = z.enum(startOutcomes, `Choose ${startOutcomes.join(', ')}.`)

export const shift = z.strictObject({
  uid,
  truck: namedRef,
  /** Null for clients, who never see drivers. */
  driver: namedRef.nullable(),
  program: namedRef,
  client: namedRef,
  market: namedRef,
  /** The local day of the start, and start and end, in the market's zone. */
  date: day,
  start: clock,
  end: clock,
  zone: z.string(),
  startsAt: instant,
  endsAt: instant,
  artworkSet: namedRef.nullable(),
  addressSet: namedRef.nullable(),
  /** Null: payroll proposes it from the hours. */
  payOption: payOption.nullable(),
  note: z.string(),
  /** Always empty for clients, who see the visits on their POP. */
  stops: z.array(plannedStop),
  status: shiftStatus,
  /** Draft and paused programs mark their shifts. */
  programStatus,
  /** Why it was canceled, became a no-show, or was completed without a start. */
  reason: z.string(),
  /** The actual start and end. */
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  /** Why staff corrected the actual times; empty if they were not corrected. */
  timesReason: z.string(),
  /** Hours since the driver's last shift ended, if they are fewer than the settings ask for. */
  shortRestHours: z.number().nullable(),
  ...driverSigns,
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Shift = z.infer<typeof shift>

export const shiftInput = z.strictObject({
  truckUid: z.uuid('Choose a truck.'),
  driverUid: z.uuid('Choose a driver.'),
  programUid: z.uuid('Choose a client program.'),
  marketUid: z.uuid('Choose a market.'),
  date: day,
  start: clock,
  end: clock,
  artworkSetUid: z.uuid('Choose an artwork set.').nullable().prefault(null),
  addressSetUid: z.uuid('Choose an SD address set.').nullable().prefault(null),
  payOption: payOption.nullable().prefault(null),
  note: paragraph(2000).prefault(''),
  /** Without a list, a new shift has none and a changed one keeps its stops. */
  stops: stopList.optional(),
})
export type ShiftInput = z.input<typeof shiftInput>

/** Whether a shift of a draft or paused program is planned on purpose; without it such a shift is refused. */
export const inactiveProgramConsent = { allowInactiveProgram: z.boolean('Must be true or false.').prefault(false) }

const sameHours = { path: ['end'], error: 'Must differ from the start.' }
export const withDifferentHours = <T extends z.ZodType<{ start: string; end: string }>>(input: T) =>
  input.refine(({ start, end }) => start !== end, sameHours)

/** The most days that a board shows. */
export const MAX_BOARD_DAYS = 35
/** The most days that are copied at once. */
export const MAX_COPY_DAYS = 14

export const dayRange = { from: day, to: day }
export const withOrderedDays = <T extends z.ZodType<{ from: string; to: string }>>(input: T, most: number) =>
  input.refine(({ from, to }) => from <= to && daysBetween(from, to) < most, {
    path: ['to'],
    error: `Must be at most ${most - 1} days after the first day, and not before it.`,
  })

/** The filters of list, board and user schedule. */
export const shiftFilterQuery = {
  market: anyOf(uid).optional(),
  client: anyOf(uid).optional(),
  program: anyOf(uid).optional(),
  truck: anyOf(uid).optional(),
  driver: anyOf(uid).optional(),
  status: anyOf(shiftStatus).optional(),
  /** Only shifts that took place, which miles, hours and days of POPs count. */
  tookPlace: z.literal('yes', 'Must be yes.').optional(),
  driverAnswer: anyOf(answerFilter).optional(),
  driverMark: anyOf(driverMark).optional(),
  startOutcome: anyOf(startOutcome).optional(),
}

/** A shift in short for a board with thousands of them. The records it refers to are listed beside. */
const boardShift = z.strictObject({
  uid,
  version,
  truckUid: uid,
  /** Null for clients, who never see drivers. */
  driverUid: uid.nullable(),
  programUid: uid,
  marketUid: uid,
  date: day,
  start: clock,
  end: clock,
  startsAt: instant,
  endsAt: instant,
  /** Until then it blocks its truck and its driver: its planned end, or its stop if that was earlier. */
  bookedUntil: instant,
  status: shiftStatus,
  shortRestHours: z.number().nullable(),
  /** Whether the filters of the call find it. A board shows the others too, so that a busy truck never looks free. */
  isMatch: z.boolean(),
  ...driverSigns,
})
export type BoardShift = z.infer<typeof boardShift>

/** A time of a truck in the shop; without an end until further notice. */
const shopTime = z.strictObject({
  uid,
  truckUid: uid,
  startsAt: instant,
  endsAt: instant.nullable(),
  zone: z.string(),
  reason: z.string(),
})
export type ShopTime = z.infer<typeof shopTime>

/** A time in which a driver is off; without an end until further notice. */
const timeOff = shopTime.omit({ truckUid: true }).extend({ driver: namedRef })
export type TimeOff = z.infer<typeof timeOff>

export const shiftBoard = z.strictObject({
  trucks: z.array(
    z.strictObject({
      uid,
      number: z.string(),
      state: z.enum(truckStates),
      homeMarketUid: uid.nullable(),
      /** A deleted truck still shows its shifts. */
      isDeleted: z.boolean(),
      /** Whether the filters of the call find one of its shifts or, filtered by market alone, its home market. */
      isMatch: z.boolean(),
    }),
  ),
  drivers: z.array(namedRef),
  programs: z.array(namedRef.extend({ client: z.string(), status: programStatus, startsOn: day, endsOn: day })),
  markets: z.array(namedRef.extend({ zone: z.string(), earlierZones })),
  shifts: z.array(boardShift),
  /** When trucks are in the shop, as far as it concerns these days; empty for drivers and clients. */
  shopTimes: z.array(shopTime),
  /** When drivers are off, by name, as far as it concerns these days; empty for drivers and clients. */
  timesOff: z.array(timeOff),
  /** Days with locked pay, on which no shift can be planned. */
  lockedPay: z.array(z.strictObject({ from: day, to: day })),
})
export type ShiftBoard = z.infer<typeof shiftBoard>

/** A shift that overlaps another of the same truck or driver. */
export const shiftClash = z.strictObject({ uid, over: z.enum(['truck', 'driver']), name: z.string() })
export type ShiftClash = z.infer<typeof shiftClash>

/** Days off of a driver; without a last day until further notice. */
const daysOff = z.strictObject({ uid, from: day, to: day.nullable(), reason: z.string() })

/** A driver with their shifts; for a client, all of the client's shifts without a driver. */
export const driverShifts = z.strictObject({
  driver: namedRef.nullable(),
  shifts: z.array(shift),
  timeOff: z.array(daysOff),
})
export type DriverShifts = z.infer<typeof driverShifts>

const shiftWithDetail = z.strictObject({
  uid,
  name: z.string(),
  /** What exactly is in the way, such as the other shift; empty if the reason says it all. */
  detail: z.string(),
})

/** Shifts that are refused for the same reason. */
export const refusalGroup = z.strictObject({
  /** A sentence. */
  reason: z.string(),
  shifts: z.array(shiftWithDetail),
})

/** Shifts that can be saved although their truck or driver has too little time to travel to them or on from them. */
export const lateArrivals = z.array(shiftWithDetail)
export type RefusalGroup = z.infer<typeof refusalGroup>

/** What the driver's app reported about a shift. */
const shiftDriverEvent = z.strictObject({
  kind: z.enum(['start', 'stop']),
  at: instant,
  /** Why it does not count, such as `no start`; empty if it counts. */
  note: z.string(),
})
export type ShiftDriverEvent = z.infer<typeof shiftDriverEvent>

/** What set an actual time: a report of the driver, the office, a correction with a reason, or the system. */
export const timeSources = ['driver', 'office', 'correction', 'system'] as const
export type TimeSource = (typeof timeSources)[number]

const timeSetBy = z.strictObject({
  source: z.enum(timeSources),
  /** Of the driver or the user; empty for the truck's device and for the system. */
  name: z.string(),
})
export type TimeSetBy = z.infer<typeof timeSetBy>

/** Says what set an actual time: `reported by Ann Lee`. */
export function describeTimeSource({ source, name }: TimeSetBy): string {
  if (source === 'system') return 'recorded by the system'
  if (source === 'driver') return `reported by ${name || 'the device in the truck'}`
  return `${source === 'office' ? 'set' : 'corrected'} by ${name || 'the office'}`
}

/** A shift with planned and actual figures. */
export const shiftDetails = shift.extend({
  plannedMinutes: z.int(),
  /** Null until the shift has started and ended. */
  actualMinutes: z.int().nullable(),
  /** What set the actual start and end; null where there is none, and for clients. */
  startSetBy: timeSetBy.nullable(),
  stopSetBy: timeSetBy.nullable(),
  /** Minutes from the planned to the actual start; negative if it started early. */
  lateMinutes: z.int().nullable(),
  plays: z.strictObject({ count: z.int(), verified: z.int(), conflict: z.int() }),
  /** Null without GPS data from the truck. */
  distance: z
    .strictObject({
      metres: z.number(),
      source: z.enum(['gps', 'odometer']),
      /** The part that bridges gaps in the GPS data. */
      estimatedMetres: z.number(),
      /** The share of the shift with GPS data, from 0 to 1. */
      coverage: z.number(),
    })
    .nullable(),
  /** Completed by an LED truck with miles and without a single play. */
  isWithoutPlays: z.boolean(),
  issues: z.array(z.strictObject({ uid, kind: issueKind, status: issueStatus, openedAt: instant })),
  photos: z.int(),
  reports: z.array(shiftDriverEvent),
  stops: z.array(stopVisit),
})

const milliseconds = z.number()

/** Everything that the miles, hours and impressions of a shift are computed from. Moments are milliseconds since 1970. */
export const shiftTrack = z.strictObject({
  uid,
  truck: namedRef.extend({ kind: z.enum(truckKinds) }),
  /** Its actual start, or its planned one. */
  beganAt: milliseconds,
  /** The hours in which it holds its truck. */
  hours: z.array(z.tuple([milliseconds, milliseconds])),
  /**
   * Time, latitude, longitude and reported speed in km/h, from the position from which distance was counted when the shift
   * began to the first one after its end.
   */
  positions: z.array(z.tuple([milliseconds, z.number(), z.number(), z.number().nullable()])),
  /** Time and meters, from the last reading before the shift to the first one after it, as far as they are near. */
  odometer: z.array(z.tuple([milliseconds, z.number()])),
})
