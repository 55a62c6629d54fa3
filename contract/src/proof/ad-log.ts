import { readAdLog } from './ad-log-access.ts'
import { formatCount } from '../platform/figures.ts'
import * as z from '../platform/zod.ts'
import { anyOf, day, instant, listQuery, namedRef, NO_EXPORT, one, page, queryNumber, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { popGrade } from './pop-document.ts'
import {
  counted,
  side,
  reportProgram,
  reportMarket,
  inOrder,
  BACKWARDS,
  programQuery,
  marketQuery,
} from './report-parts.ts'

export const playReasons = [
  'noShift',
  'otherProgram',
  'noTrack',
  'farFromTruck',
  'outsideMarket',
  'tooLong',
  'unknownFile',
  'overlap',
] as const
export type PlayReason = (typeof playReasons)[number]

/** Why a play is not verified. */
export const playReasonLabel: Record<PlayReason, string> = {
  noShift: 'The truck was not on a shift.',
  otherProgram: 'The truck was on a shift for another program.',
  noTrack: 'No independent GPS data at this time.',
  farFromTruck: 'The player and the truck’s track report different places.',
  outsideMarket: 'The truck was outside the market.',
  tooLong: 'Longer than the file can be shown.',
  unknownFile: 'The file is not part of the artwork set.',
  overlap: 'Another play on this side overlaps it.',
}

const playVerifiers = ['phone'] as const
export const playVerifierLabel: Record<(typeof playVerifiers)[number], string> = { phone: 'by the driver’s phone' }

/** A play in the ad log: one ad on one side of one truck. */
const loggedPlay = z.strictObject({
  uid: z.string(),
  startedAt: instant,
  /** The local day on which its shift started. */
  day,
  shiftUid: uid,
  /** The zone of the market, in which to show the time. */
  zone: z.string(),
  program: namedRef,
  market: namedRef,
  /** The center of the market, from which places are named; null for a market without an area. */
  marketCenter: z.strictObject({ latitude: z.number(), longitude: z.number() }).nullable(),
  truck: namedRef,
  side,
  artwork: namedRef,
  durationMs: counted,
  /** The SD address that it was shown for. */
  address: namedRef.nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  grade: popGrade,
  /** Why it is not verified; null if it is. */
  reason: z.enum(playReasons).nullable(),
  /** For the office: what verified it where no tracker did; null otherwise, and once positions are no longer kept. */
  verifiedBy: z.enum(playVerifiers).nullable(),
  /** The sequence number of the player. */
  sequence: z.int(),
  receivedAt: instant,
  /** Received long after it was played, such as from a truck that was offline. */
  isLate: z.boolean(),
})
export type LoggedPlay = z.infer<typeof loggedPlay>

/** A play that is received longer after it was played is late. */
export const LATE_PLAY_MINUTES = 60

/** A play that belongs to no shift: outside of any, or with the artwork of another program than the shift's. */
const unassignedPlay = loggedPlay
  .omit({ market: true, marketCenter: true, shiftUid: true, address: true, verifiedBy: true })
  .extend({ client: namedRef })
export type UnassignedPlay = z.infer<typeof unassignedPlay>

export const playFigures = z.strictObject({
  plays: counted,
  seconds: counted,
  verified: counted,
  unverified: counted,
  conflict: counted,
})
export type PlayFigures = z.infer<typeof playFigures>

/**
 * Everything that players have numbered: plays, and numbers that are no plays of a shift. None of these can be assigned to a
 * side. Unassigned plays have no shift: they are unknown where the query names a market, a shift, a driver or hours.
 */
const accountedFigures = playFigures.extend({
  /** Unverified plays at whose time nothing but the player said where the truck was. */
  noTrack: counted,
  /** Numbers that never arrived. */
  missing: counted,
  /** Rows that could not be stored. */
  rejected: counted,
  /** Numbers under which a play came that is stored under another number. */
  duplicates: counted,
  unassigned: counted.nullable(),
  /** Plays, missing, rejected, duplicates and unassigned together: the numbers that players have used. */
  numbers: counted,
})
export type AccountedFigures = z.infer<typeof accountedFigures>

const adLogSummary = z.strictObject({
  /** The zones of the markets; one if the query names a market. */
  zones: z.array(z.string()),
  total: accountedFigures,
  /** Each day of the markets with a play or another number, in order. A night shift counts on the day it started. */
  days: z.array(accountedFigures.extend({ day })),
  sides: z.array(playFigures.extend({ side })),
  /** By number. */
  trucks: z.array(accountedFigures.extend({ truck: namedRef })),
  /** Since when plays are kept individually; older ones are only counted. Null without plays. */
  keptSince: instant.nullable(),
  /** Jumps of counters that no one has decided on. Their numbers are counted nowhere until then. */
  jumps: counted,
  /** The SD address of the query; null without one. */
  address: z.strictObject({ uid: z.string(), name: z.string() }).nullable(),
  /**
   * Plays for the SD address of which only their number is kept. They are in no figure here: their side, shift and grade
   * are not known by address any more. 0 without an address.
   */
  onlyCounted: counted,
})
export type AdLogSummary = z.infer<typeof adLogSummary>

/** Without a program or days, the ad log covers as many days before the last one. */
export const LISTED_DAYS = 7

const HOURS_OF_DAY = 24

/** An hour of the day from which plays count, and the one before which they do: 17 and 20 are 5 to 8 PM. */
interface HourSpan {
  fromHour?: number | undefined
  toHour?: number | undefined
}

/** The hours of a span, which may pass midnight: from 22 to 2 are 22, 23, 0 and 1. Undefined for the whole day. */
export function hoursOfSpan({ fromHour = 0, toHour = HOURS_OF_DAY }: HourSpan): number[] | undefined {
  const count = fromHour < toHour ? toHour - fromHour : toHour - fromHour + HOURS_OF_DAY
  if (count === HOURS_OF_DAY) return undefined
  return Array.from({ length: count }, (_, n) => (fromHour + n) % HOURS_OF_DAY)
}

const hasHours = ({ fromHour = 0, toHour = HOURS_OF_DAY }: HourSpan) => fromHour !== toHour
const NO_HOURS = { path: ['toHour'], message: 'Must not be the first hour.' }

/** What plays, and numbers that are none, are filtered by. */
const shiftFilters = {
  program: anyOf(uid).optional(),
  client: anyOf(uid).optional(),
  market: anyOf(uid).optional(),
  shift: uid.optional(),
  from: day.optional(),
  to: day.optional(),
  /** Hours of the day on the clocks of each market. */
  fromHour: queryNumber(0, HOURS_OF_DAY - 1).optional(),
  toHour: queryNumber(1, HOURS_OF_DAY).optional(),
  truck: anyOf(uid).optional(),
  driver: anyOf(uid).optional(),
}

/** Stands for any SD address. */
export const ANY_ADDRESS = 'any'

const logFilters = {
  ...shiftFilters,
  side: anyOf(side).optional(),
  /** The SD address that plays were shown for, or `any`. */
  address: z.union([uid, z.literal(ANY_ADDRESS)], 'Must be the id of an SD address, or any.').optional(),
  /** The first and the last moment, such as those of a visit to the address. */
  since: instant.optional(),
  until: instant.optional(),
}

interface AddressFilter {
  program?: readonly string[] | undefined
  address?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

// Plays for addresses are counted one by one, within the hours of one program.
const hasProgram = ({ address, program }: AddressFilter) => address === undefined || program !== undefined
const NO_PROGRAM = { path: ['program'], message: 'Choose the program of the SD address.' }
const hasAddress = ({ address, since, until }: AddressFilter) => address !== undefined || (since ?? until) === undefined
const NO_ADDRESS = { path: ['address'], message: 'Choose an SD address for moments.' }

const numberRun = z.strictObject({ from: z.int(), to: z.int() })
export type NumberRun = z.infer<typeof numberRun>

/** What a person answers about a jump: its numbers were lost, or the counter was set past them. */
export const jumpAnswers = ['missing', 'set'] as const
export type JumpAnswer = (typeof jumpAnswers)[number]
export const jumpAnswerLabel: Record<JumpAnswer, string> = {
  missing: 'These are missing',
  set: 'The counter was set',
}

/** A gap of more numbers than this is a jump of the counter, which a person decides on. */
export const JUMP_NUMBERS = 10_000

/** `T-5’s counter jumped from 812 to 100,012`. */
export const describeJump = (truck: string, { from, to }: NumberRun): string =>
  `${truck}’s counter jumped from ${formatCount(from - 1)} to ${formatCount(to + 1)}`

/** The numbers that a player has used for its plays: stored, duplicate, rejected or missing. */
const deviceAccount = z.strictObject({
  /** How many it has used; those of jumps count once someone has decided on them. */
  used: counted,
  stored: counted,
  missing: counted,
  /** Rejected rows, also those whose number has a play or another rejected row. */
  rejected: counted,
  /** Numbers under which only plays came that are stored under another number. */
  duplicates: counted,
  /** Missing numbers, newest first. */
  gaps: z.array(numberRun),
  /** Jumps that no one has decided on. */
  jumps: z.array(numberRun),
  /** Jumps that were decided on: the counter was set, or the numbers are missing. */
  skipped: z.array(numberRun),
  lost: z.array(numberRun),
  /** Rejected rows and duplicates, newest first. */
  rejections: z.array(z.strictObject({ sequence: z.int(), at: instant, reason: z.string(), isDuplicate: z.boolean() })),
})
export type DeviceAccount = z.infer<typeof deviceAccount>

export const unstoredKinds = ['missing', 'rejected', 'duplicate', 'jump'] as const
export const unstoredKindLabel: Record<(typeof unstoredKinds)[number], string> = {
  missing: 'Missing',
  rejected: 'Rejected',
  duplicate: 'Duplicate',
  jump: 'Counter jump',
}

/**
 * Numbers of a player that are no stored plays: a gap of numbers that never arrived, one row that was rejected or came under
 * a second number, or a jump of the counter that no one has decided on.
 */
const unstoredNumbers = z.strictObject({
  uid: z.string(),
  kind: z.enum(unstoredKinds),
  /** The day on which they count. */
  day,
  /** When the play after the gap began, or when the rejected one did. */
  at: instant,
  zone: z.string(),
  truck: namedRef,
  deviceUid: uid,
  from: z.int(),
  to: z.int(),
  /** Why the row was rejected. */
  reason: z.string().nullable(),
})
export type UnstoredNumbers = z.infer<typeof unstoredNumbers>

/** The days of the plays of several programs or all, where none are named. */
const LOG_WEEK = { from: 'a week before the last day or today; not for one program, a shift or today' }
/** The days of an ad log that names none. */
const LOG_DAYS = {
  from: 'the first day of the program; without one program, a week before the last day or today; not for a shift or today',
  to: 'the last day of the program',
}

export const adLog = {
  programs: endpoint({
    method: 'GET',
    path: 'ad-log-report/client-program-lookup',
    follows: ['programs'],
    fromReplica: true,
    access: readAdLog,
    ownRows: 'hours',
    summary: 'Lists programs with plays, with their first and last day. Clients see their own.',
    query: programQuery,
    reply: page(reportProgram),
  }),
  markets: endpoint({
    method: 'GET',
    path: 'ad-log-report/client-program-market-lookup',
    follows: ['programs'],
    fromReplica: true,
    access: readAdLog,
    ownRows: 'hours',
    summary: 'Lists markets in which a program has plays, or any shift took place, with their first and last day.',
    query: marketQuery,
    reply: page(reportMarket),
  }),
  list: endpoint({
    method: 'GET',
    path: 'ad-log-report/run',
    follows: [],
    fromReplica: true,
    access: readAdLog,
    ownRows: 'hours',
    summary:
      'Lists plays of all programs or some, newest first, searchable by truck; as a file, all of them. Hours are those of each market.',
    query: listQuery(['startedAt'], { ...logFilters, grade: anyOf(popGrade).optional() })
      .refine(inOrder, BACKWARDS)
      .refine(hasHours, NO_HOURS)
      .refine(hasProgram, NO_PROGRAM)
      .refine(hasAddress, NO_ADDRESS),
    filledIn: LOG_DAYS,
    reply: page(loggedPlay),
  }),
  device: endpoint({
    method: 'GET',
    path: 'devices/{uid}/play-numbers',
    follows: ['devices'],
    fromReplica: true,
    access: { module: 'trucks', needs: 'view' },
    summary:
      'Returns the numbers that a player has used for its plays: stored, duplicate, rejected and missing, with the newest of them, and jumps of its counter.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(deviceAccount),
  }),
  answerJump: endpoint({
    method: 'POST',
    path: 'devices/{uid}/counter-jump',
    access: { module: ['overview', 'trucks'], needs: 'edit' },
    summary:
      'Decides on a jump of a counter: its numbers are missing, or the counter was set past them. A decision can be changed; a jump that is gone answers 409.',
    added: true,
    params: z.strictObject({ uid }),
    body: z.strictObject({
      /** The numbers of the jump, the first and the last. */
      from: z.int('Must be a whole number.').min(1, 'Must be at least 1.'),
      to: z.int('Must be a whole number.').min(1, 'Must be at least 1.'),
      answer: z.enum(jumpAnswers, 'Choose missing or set.'),
    }),
    reply: one(z.strictObject({ uid })),
  }),
  unassigned: endpoint({
    method: 'GET',
    path: 'ad-log-report/unassigned',
    follows: [],
    fromReplica: true,
    access: { ...readAdLog, reach: 'all' },
    summary:
      'Lists plays outside of any shift or with the artwork of another program, newest first, for staff; without days, those of the last week.',
    added: true,
    query: listQuery(['startedAt'], {
      program: anyOf(uid).optional(),
      truck: anyOf(uid).optional(),
      from: day.optional(),
      to: day.optional(),
    }).refine(inOrder, BACKWARDS),
    filledIn: LOG_WEEK,
    reply: page(unassignedPlay),
  }),
  unstored: endpoint({
    method: 'GET',
    path: 'ad-log-report/missing-and-rejected',
    follows: ['devices'],
    fromReplica: true,
    access: { ...readAdLog, reach: 'all' },
    summary:
      'Lists jumps of counters, gaps, and rejected and duplicate rows behind the numbers of the ad log that are no plays, newest first, searchable by truck, for staff, and how many numbers they are together without the jumps; without a program and days, those of the last week.',
    added: true,
    query: listQuery(['at'], {
      ...shiftFilters,
      kind: anyOf(z.enum(unstoredKinds)).optional(),
    })
      .omit(NO_EXPORT)
      .refine(inOrder, BACKWARDS)
      .refine(hasHours, NO_HOURS),
    filledIn: LOG_WEEK,
    reply: page(unstoredNumbers).extend({ numbers: counted }),
  }),
  summary: endpoint({
    method: 'GET',
    path: 'ad-log-report/summary',
    follows: ['devices'],
    fromReplica: true,
    access: readAdLog,
    ownRows: 'hours',
    summary:
      'Returns plays by day, side and truck with their grades, and the numbers that are no plays; without a program, of all programs. Without days: all of the program, or the last week.',
    added: true,
    query: z
      .strictObject(logFilters)
      .refine(inOrder, BACKWARDS)
      .refine(hasHours, NO_HOURS)
      .refine(hasProgram, NO_PROGRAM)
      .refine(hasAddress, NO_ADDRESS),
    filledIn: LOG_WEEK,
    reply: one(adLogSummary),
  }),
}
