import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  dayOrToday,
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
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { issueKind, issueStatus } from '../catalog/truck-issues.ts'
import { truckIssue } from './truck-issue.ts'
import { driverSigns } from '../planning/driver-signs.ts'
import { shiftStatus } from '../planning/shift-status.ts'

/** The state of a truck, from three clocks: its tracker, its player and its schedule. */
export const liveStates = [
  'driving',
  'parked',
  'silent',
  'darkScreen',
  'playingSilent',
  'notMoving',
  'runningOver',
  'offShift',
] as const
export const liveState = z.enum(liveStates)
export type LiveState = z.infer<typeof liveState>
export const liveStateLabel: Record<LiveState, string> = {
  driving: 'Driving',
  parked: 'Parked',
  silent: 'Silent',
  darkScreen: 'Driving with a dark screen',
  playingSilent: 'Playing but silent',
  notMoving: 'Scheduled but not moving',
  runningOver: 'Running over',
  offShift: 'Moving off shift',
}
/** States that cost money until a dispatcher acts. */
export const costlyStates: readonly LiveState[] = [
  'darkScreen',
  'playingSilent',
  'notMoving',
  'offShift',
  'runningOver',
]

export type Motion = 'moving' | 'parked' | 'silent'

/** A truck at this speed or faster is driving. */
export const MOVING_KMH = 5

const motions: Record<Exclude<LiveState, 'runningOver'>, Motion> = {
  driving: 'moving',
  darkScreen: 'moving',
  offShift: 'moving',
  parked: 'parked',
  notMoving: 'parked',
  silent: 'silent',
  playingSilent: 'silent',
}

/** Whether a truck moves, is parked, or sends no GPS data. A truck that runs over may do either. */
export function motionOf({ state, speedKmh }: { state: LiveState; speedKmh: number | null }): Motion {
  if (state !== 'runningOver') return motions[state]
  return (speedKmh ?? 0) >= MOVING_KMH ? 'moving' : 'parked'
}

/** A truck as the live map shows it. */
export const liveTruck = z.strictObject({
  uid,
  number: z.string(),
  state: liveState,
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  speedKmh: z.number().nullable(),
  heading: z.number().nullable(),
  odometerM: z.number().nullable(),
  /** The last contact of the tracker and of the player. */
  positionAt: instant.nullable(),
  playerAt: instant.nullable(),
  /** The current shift, with its planned and its actual start. */
  shift: z
    .strictObject({
      uid,
      program: z.string(),
      market: z.string(),
      /** Null for clients, who never see drivers. */
      driver: z.string().nullable(),
      startsAt: instant,
      endsAt: instant,
      startedAt: instant.nullable(),
      /** The last contact of the driver's phone, if it is offline; always null for clients. */
      phoneOfflineSince: instant.nullable(),
    })
    .nullable(),
  /** Only of a truck that moves off shift: since when, where it is now, and the driver of its last shift. */
  offShift: z.strictObject({ since: instant, place: z.string(), driver: z.string().nullable() }).nullable(),
})
export type LiveTruck = z.infer<typeof liveTruck>

/** Whether a truck has all that its next shift needs. Null means unknown. */
const readiness = z.strictObject({
  artwork: z.boolean().nullable(),
  clock: z.boolean().nullable(),
  gps: z.boolean().nullable(),
  player: z.boolean(),
})
export type Readiness = z.infer<typeof readiness>

export const overviewShift = z.strictObject({
  uid,
  truck: namedRef,
  /** Null for clients, who never see drivers. */
  driver: namedRef.nullable(),
  program: namedRef,
  client: namedRef,
  market: namedRef,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  startsAt: instant,
  endsAt: instant,
  status: shiftStatus,
  startedAt: instant.nullable(),
  stoppedAt: instant.nullable(),
  /** Its planned start has passed, and it has not started. */
  isLate: z.boolean(),
  ...driverSigns,
  state: liveState.nullable(),
  metres: z.number().nullable(),
  plays: z.int(),
  /** Completed by an LED truck with miles and without a single play. */
  isWithoutPlays: z.boolean(),
  /** Only for upcoming shifts of LED trucks, and not for clients: before its shift the truck may be on another's. */
  ready: readiness.nullable(),
})
export type OverviewShift = z.infer<typeof overviewShift>

/**
 * The progress of a shift of the day. Late shifts are planned ones too, those that started late are out, and those without
 * plays are done.
 */
export const shiftStages = ['planned', 'out', 'late', 'startedLate', 'done', 'withoutPlays'] as const
const shiftStage = z.enum(shiftStages, 'Choose planned, out, late, startedLate, done or withoutPlays.')
export type ShiftStage = z.infer<typeof shiftStage>

/** The day of figures of today: the one that has not ended yet in each market where shifts are planned around it. */
const figuresDay = z.strictObject({
  day,
  /** How many markets have shifts on it. */
  markets: z.int(),
  /** Whether it has ended in some of the markets. */
  isOverSomewhere: z.boolean(),
})
export type FiguresDay = z.infer<typeof figuresDay>

const figures = z.strictObject({
  /** The day of the plays. */
  today: figuresDay,
  trucks: z.strictObject({ moving: z.int(), parked: z.int(), silent: z.int() }),
  shifts: z.strictObject({
    planned: z.int(),
    out: z.int(),
    late: z.int(),
    startedLate: z.int(),
    done: z.int(),
    withoutPlays: z.int(),
  }),
  /** Shifts that need a look because of their drivers, whatever their day; null for clients. */
  drivers: z
    .strictObject({ declined: z.int(), otherTruck: z.int(), unanswered: z.int(), phoneOffline: z.int() })
    .nullable(),
  plays: z.int(),
  /** Issues that are not resolved; without the snoozed ones, except for clients, who do not see what is snoozed. */
  openIssues: z.int(),
  snoozedIssues: z.int(),
  /** Whether the fleet is simulated. */
  simulated: z.boolean(),
})
export type Figures = z.infer<typeof figures>

/** The plays of a program in a market on the day of the figures. */
const playsOfToday = z.strictObject({ program: namedRef, market: namedRef, day, plays: z.int() })
export type PlaysOfToday = z.infer<typeof playsOfToday>

/** The miles of a truck on a day of its market. A shift counts on the day on which it began. */
const truckDayMiles = z.strictObject({
  uid: z.string(),
  date: day,
  shifts: z.array(
    z.strictObject({
      uid,
      program: z.string(),
      start: z.string(),
      end: z.string(),
      /** The shift's miles; null without data. */
      metres: z.number().nullable(),
      source: z.enum(['gps', 'odometer']).nullable(),
    }),
  ),
  /** Each is null without data. */
  shiftMetres: z.number().nullable(),
  /** By GPS, outside of any shift. */
  unassignedMetres: z.number().nullable(),
  /** Shifts and unassigned together. */
  metres: z.number().nullable(),
  /** The same by GPS alone: the whole way of the truck. */
  gpsMetres: z.number().nullable(),
})
export type TruckDayMiles = z.infer<typeof truckDayMiles>

const view = { module: 'overview', needs: 'view' } as const
const edit = { module: 'overview', needs: 'edit' } as const

export const fleet = {
  shifts: endpoint({
    method: 'GET',
    path: 'overview/shifts',
    access: view,
    ownRows: 'hours',
    summary:
      'The shifts of a day with their live state; by default those of today in each market, and those still running.',
    follows: ['shifts', 'fleet'],
    atLeastEvery: 30,
    query: listQuery(['startsAt'], {
      day: dayOrToday.optional(),
      market: anyOf(uid).optional(),
      stage: shiftStage.optional(),
    }).omit(NO_EXPORT),
    reply: page(overviewShift),
  }),
  issues: endpoint({
    method: 'GET',
    path: 'overview/truck-issues',
    access: view,
    ownRows: 'hours',
    summary: 'Truck issues, newest first; only unresolved ones by default.',
    follows: ['issues'],
    atLeastEvery: 30,
    query: listQuery(['openedAt', 'status', 'updatedAt'], {
      status: anyOf(issueStatus).optional(),
      kind: anyOf(issueKind).optional(),
      truck: anyOf(uid).optional(),
      shift: anyOf(uid).optional(),
      assignee: anyOf(z.union([z.enum(['me', 'none']), uid], 'Must be me, none or the id of a user.')).optional(),
      snoozed: z.enum(['yes', 'no'], 'Must be yes or no.').optional(),
      /** Opened on these days. */
      from: day.optional(),
      to: day.optional(),
    }),
    reply: page(truckIssue),
  }),
  issue: endpoint({
    method: 'GET',
    path: 'overview/truck-issues/{uid}',
    access: view,
    ownRows: 'hours',
    summary: 'One issue of a truck.',
    follows: ['issues'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(truckIssue),
  }),
  figures: endpoint({
    method: 'GET',
    path: 'overview/figures',
    access: view,
    ownRows: 'hours',
    summary: 'Today’s figures.',
    follows: ['shifts', 'fleet', 'issues'],
    atLeastEvery: 30,
    added: true,
    reply: one(figures),
  }),
  playsToday: endpoint({
    method: 'GET',
    path: 'overview/plays',
    access: view,
    ownRows: 'hours',
    summary: 'The plays of the day of the figures by program and market, most first; together they are the figure.',
    follows: ['shifts', 'fleet'],
    atLeastEvery: 30,
    added: true,
    reply: one(z.array(playsOfToday)),
  }),
  resolve: endpoint({
    method: 'PUT',
    path: 'issues/resolved-status',
    access: edit,
    summary: 'Changes the status of an issue, with a note.',
    body: z.strictObject({ uid, version, status: issueStatus, note: textLine(500).prefault('') }),
    reply: one(truckIssue),
  }),
  issueHistory: historyEndpoint('issues', view, { ownRows: 'hours' }),
  track: endpoint({
    method: 'GET',
    path: 'overview/trucks/{uid}/track',
    access: { module: ['overview', 'trucks'], needs: 'view' },
    ownRows: 'hours',
    summary: 'The track of a truck on a day of its market, today by default, thinned for a map, with its distance.',
    follows: [],
    atLeastEvery: (_, { query }) => (query?.['day'] === undefined ? 30 : undefined),
    added: true,
    params: z.strictObject({ uid }),
    query: z.strictObject({ day: day.optional() }),
    reply: one(
      z.strictObject({
        truck: liveTruck,
        day,
        /** Whether it is the present day of the market. A night shift belongs to the day on which it began. */
        isToday: z.boolean(),
        /** Null without data. */
        metres: z.number().nullable(),
        points: z.array(z.tuple([z.number(), z.number(), instant])),
      }),
    ),
  }),
  truckDays: endpoint({
    method: 'GET',
    path: 'trucks/miles-by-day',
    access: { module: 'trucks', needs: 'view' },
    summary: 'The miles of a truck by day of its market: shifts, unassigned and total; the last 30 days by default.',
    follows: [],
    added: true,
    query: listQuery(['date'], { truck: uid, from: day.optional(), to: day.optional() }).omit({ search: true }),
    reply: page(truckDayMiles),
  }),
}
