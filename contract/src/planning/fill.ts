import * as z from '../platform/zod.ts'
import { day, instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { clock, dayRange, inactiveProgramConsent, MAX_BOARD_DAYS, withDifferentHours } from './shift-schemas.ts'
import { addDays, daysBetween, weekdayOf } from './shift-time.ts'
import { planAccess } from './shifts.ts'

/** The most shifts that one fill proposal is asked for. */
export const MAX_FILL_SHIFTS = 300
/** The most trucks and the most drivers that a fill proposal chooses from. */
export const MAX_FILL_CANDIDATES = 250

/**
 * The rules that a fill proposal keeps beside those of saving; a person may relax each:
 * - `weekHours`: no driver works more hours in a workweek than overtime begins after.
 * - `rest`: each driver rests between two shifts as long as Settings say.
 * - `travel`: there is time enough for the way between two markets.
 * - `artwork`: the artwork has the ratio of the truck's screens and is not too large for them.
 * - `declined`: no driver gets hours at which they declined a shift.
 * - `phone`: every driver can see their shifts on the phone.
 */
export const fillRules = ['weekHours', 'rest', 'travel', 'artwork', 'declined', 'phone'] as const
const fillRule = z.enum(fillRules, `Choose ${fillRules.join(', ')}.`)
export type FillRule = z.infer<typeof fillRule>

/** What would help to place more shifts: a rule relaxed, or more trucks or drivers than there are. */
export const fillReliefs = [...fillRules, 'moreTrucks', 'moreDrivers'] as const
export type FillRelief = (typeof fillReliefs)[number]

/** Monday is 1 and Sunday is 7. */
const weekday = z.int('Must be a day of the week.').min(1, 'Must be from 1 to 7.').max(7, 'Must be from 1 to 7.')
const trucksPerDay = z.int('Must be a whole number.').min(1, 'Must be at least 1.').max(100, 'Must be at most 100.')

const fields = z.strictObject({
  programUid: z.uuid('Choose a client program.'),
  /** How many trucks to have in each market on each day, those already planned included. */
  markets: z
    .array(z.strictObject({ marketUid: z.uuid('Choose a market.'), trucks: trucksPerDay }))
    .min(1, 'Choose a market.')
    .max(20, 'At most 20 markets.')
    .refine(
      (given) => new Set(given.map(({ marketUid }) => marketUid)).size === given.length,
      'Name each market once.',
    ),
  ...dayRange,
  weekdays: z.array(weekday).min(1, 'Choose a day of the week.').max(7),
  start: clock,
  end: clock,
  relax: z.array(fillRule).max(fillRules.length).prefault([]),
})
export type FillRequest = z.output<typeof fields>

/** The days of a request. */
export function fillDays({ from, to, weekdays }: Pick<FillRequest, 'from' | 'to' | 'weekdays'>): string[] {
  const all = Array.from({ length: daysBetween(from, to) + 1 }, (_, at) => addDays(from, at))
  return all.filter((date) => weekdays.includes(weekdayOf(date)))
}

/** How many shifts a request asks for, those already planned included. */
export const countFillShifts = (request: Pick<FillRequest, 'from' | 'to' | 'weekdays' | 'markets'>): number =>
  fillDays(request).length * request.markets.reduce((sum, { trucks }) => sum + trucks, 0)

const hasDays = ({ from, to }: { from: string; to: string }) => from <= to && daysBetween(from, to) < MAX_BOARD_DAYS

const fillRequest = withDifferentHours(fields)
  .refine(hasDays, {
    path: ['to'],
    error: `Must be at most ${MAX_BOARD_DAYS - 1} days after the first day, and not before it.`,
  })
  .refine((given) => !hasDays(given) || fillDays(given).length > 0, {
    path: ['weekdays'],
    error: 'None of these weekdays is between the two days.',
  })
  .refine((given) => !hasDays(given) || countFillShifts(given) <= MAX_FILL_SHIFTS, {
    path: ['markets'],
    error: `That is more than ${MAX_FILL_SHIFTS} shifts. Choose fewer days, markets or trucks.`,
  })

/** A shift that is proposed. Nothing is booked by it. */
export const proposedShift = z.strictObject({
  /** Names it within its fill proposal. */
  key: z.string(),
  truck: namedRef,
  driver: namedRef,
  market: namedRef,
  date: day,
  start: clock,
  end: clock,
  startsAt: instant,
  endsAt: instant,
})
export type ProposedShift = z.infer<typeof proposedShift>

/** Why trucks or drivers do not take a shift that was not placed, and how many of them. */
export const truckObstacles = ['inShop', 'printed', 'booked', 'travel', 'artwork', 'proposed', 'free'] as const
export const driverObstacles = [
  'off',
  'booked',
  'declined',
  'phone',
  'rest',
  'travel',
  'weekHours',
  'proposed',
  'free',
] as const
const counts = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.partialRecord(z.enum(names), z.int())

/** Shifts of one market and day that could not be placed. */
const unplacedShifts = z.strictObject({
  market: namedRef,
  date: day,
  missing: z.int(),
  /** The sentence with which saving would refuse any shift there; null if only trucks or drivers are missing. */
  refusal: z.string().nullable(),
  trucks: counts(truckObstacles),
  drivers: counts(driverObstacles),
  /**
   * How many of the missing shifts could be placed in addition, one change at a time. Found out by trying; null if there
   * was no time for that.
   */
  relief: z.array(z.strictObject({ by: z.enum(fillReliefs), places: z.int() })).nullable(),
})
export type UnplacedShifts = z.infer<typeof unplacedShifts>

const fillResult = z.strictObject({
  shifts: z.array(proposedShift),
  unplaced: z.array(unplacedShifts),
  /** How many shifts were asked for, and how many of those were planned already. */
  wanted: z.int(),
  alreadyPlanned: z.int(),
  /** False if time ran out: a better fill proposal may exist. */
  isOptimal: z.boolean(),
  /** How often trucks and drivers change between markets, with the shifts that they have already. */
  truckMoves: z.int(),
  driverMoves: z.int(),
  /** The only approved artwork of the program, which the shifts get. */
  artworkSet: namedRef.nullable(),
  /** How many trucks and drivers were chosen from, where there are more than one fill proposal takes. */
  considered: z.strictObject({ trucks: z.int(), drivers: z.int(), isAll: z.boolean() }),
})
export type FillResult = z.infer<typeof fillResult>

export const fillSteps = ['placing', 'improving', 'explaining'] as const
export const fillStates = ['solving', 'ready', 'failed', 'accepted'] as const

const fillProposal = z.strictObject({
  uid,
  state: z.enum(fillStates),
  request: fields.extend({ program: z.string(), relax: z.array(fillRule) }),
  /** What is being done while it is solved. */
  step: z.enum(fillSteps),
  /** How many shifts are placed so far; null before the first figure is known. */
  placed: z.int().nullable(),
  /** Why there is no result; empty unless it failed. */
  failure: z.string(),
  result: fillResult.nullable(),
  startedAt: instant,
  expiresAt: instant,
})
export type FillProposal = z.infer<typeof fillProposal>

/** A proposed shift as a person accepts it. */
const acceptedShift = z.strictObject({
  key: z.string().max(20),
  truckUid: z.uuid('Choose a truck.'),
  driverUid: z.uuid('Choose a driver.'),
  start: clock,
  end: clock,
})

export const shiftFill = {
  current: endpoint({
    method: 'GET',
    path: 'program-schedule/fill',
    access: planAccess,
    follows: ['shifts'],
    // The solver is soon done; its bar moves.
    atLeastEvery: (proposal: FillProposal | null) => (proposal?.state === 'solving' ? 0.7 : undefined),
    keys: false,
    summary: 'The newest proposal that the caller asked for: its progress, or its shifts. Null without one.',
    added: true,
    reply: one(fillProposal.nullable()),
  }),
  start: endpoint({
    method: 'POST',
    path: 'program-schedule/fill',
    access: planAccess,
    keys: false,
    summary:
      'Looks for trucks and drivers for the shifts of a program in some markets, days and hours. Answers at once; the proposal follows within seconds and replaces an earlier one of the caller.',
    added: true,
    repeatable: true,
    body: fillRequest,
    reply: one(fillProposal),
  }),
  discard: endpoint({
    method: 'DELETE',
    path: 'program-schedule/fill/{uid}',
    access: planAccess,
    keys: false,
    summary: 'Ends the search for a proposal of the caller, or discards the proposal.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(z.strictObject({ uid })),
  }),
  accept: endpoint({
    method: 'POST',
    path: 'program-schedule/fill/accept',
    access: planAccess,
    keys: false,
    summary:
      'Plans the shifts of a proposal, as the caller changed them, all or none. Where shifts can no longer be planned it answers 409 with a sentence for each, by its key.',
    added: true,
    body: z.strictObject({
      uid,
      shifts: z.array(acceptedShift).min(1, 'Keep at least one shift.').max(MAX_FILL_SHIFTS),
      ...inactiveProgramConsent,
    }),
    /** The shifts that were added, and the change to undo. */
    reply: one(z.strictObject({ uids: z.array(uid), undoUid: uid.nullable() })),
  }),
}
