import * as z from '../platform/zod.ts'
import { day, instant, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { fits } from '../catalog/artwork.ts'
import { truckStates } from '../catalog/trucks.ts'
import { clock, withDifferentHours } from './shift-schemas.ts'
import { planAccess } from './shifts.ts'

/** Markets this far apart in a straight line are worth a remark about travel. */
export const FAR_MILES = 60
/** The speed in a straight line between two markets: about 55 mph on roads that are a fifth longer. */
export const TRAVEL_MPH = 45
/** The most trucks and the most drivers that one answer ranks. */
export const MAX_CANDIDATES = 2000

/** What a shift needs a truck with screens for. */
export const screenNeeds = ['artwork', 'plays'] as const
export type ScreenNeed = (typeof screenNeeds)[number]

const miles = z.int()
const minutes = z.int()

/** Travel between markets, and whether the time between the two shifts is enough for it. */
const travel = { market: z.string(), miles, minutes, isEnough: z.boolean() }

/** Why a truck or a driver is suggested, or what to know before choosing them. */
export const suggestionReason = z.discriminatedUnion('kind', [
  /** No other shift at that time. */
  z.strictObject({ kind: z.literal('free') }),
  /** The truck is at home in the market of the shift, or in another one. */
  z.strictObject({ kind: z.literal('homeMarket'), market: z.string(), isHere: z.boolean() }),
  /** Where the shift before ends, and when by the clocks there. */
  z.strictObject({
    kind: z.literal('endsIn'),
    market: z.string(),
    at: instant,
    zone: z.string(),
    isHere: z.boolean(),
  }),
  /** How far the truck is from the market now; 0 inside of it. */
  z.strictObject({ kind: z.literal('position'), market: z.string(), miles }),
  /** The way from the place before. The market is empty for a truck on its way from its position. */
  z.strictObject({ kind: z.literal('travel'), ...travel }),
  /** The way to the market of the shift after. */
  z.strictObject({ kind: z.literal('travelAfter'), ...travel }),
  /** How the artwork meets the screens of the truck. */
  z.strictObject({ kind: z.literal('artwork'), fit: z.enum(fits) }),
  /** A truck without screens, which is never proposed: the shift shows artwork files, or counts booked plays. */
  z.strictObject({ kind: z.literal('printed'), need: z.enum(screenNeeds) }),
  /** The shift before is of the same program. */
  z.strictObject({ kind: z.literal('sameProgram') }),
  /** Rest since the shift before, and until the shift after where that is too short. */
  z.strictObject({ kind: z.literal('rest'), minutes, isShort: z.boolean() }),
  z.strictObject({ kind: z.literal('restAfter'), minutes }),
  /** The driver's hours in the workweek with this shift, and the hours after which overtime begins. */
  z.strictObject({ kind: z.literal('weekHours'), minutes, limitMinutes: minutes }),
  /** The driver cannot see shifts on the phone: a module is missing. */
  z.strictObject({ kind: z.literal('noSchedule') }),
  /** The driver declined this very shift. */
  z.strictObject({ kind: z.literal('declined') }),
])
export type SuggestionReason = z.infer<typeof suggestionReason>

const candidate = z.strictObject({
  uid,
  name: z.string(),
  /** The sentence with which saving would refuse the shift because of this truck or driver; null if it would not. */
  refusal: z.string().nullable(),
  /** When the shifts in the way are over. */
  bookedUntil: instant.nullable(),
  reasons: z.array(suggestionReason),
})

const truckSuggestion = candidate.extend({
  state: z.enum(truckStates),
  homeMarket: namedRef.nullable(),
  /** False for a truck without the screens that the shift needs. Saving does not refuse it. */
  isSuitable: z.boolean(),
})
export type TruckSuggestion = z.infer<typeof truckSuggestion>
export type DriverSuggestion = z.infer<typeof candidate>

const suggestions = z.strictObject({
  /** The market that the answer is for, and its time zone; null, and nothing suggested, while no market is known. */
  market: namedRef.nullable(),
  zone: z.string().nullable(),
  /** What saving would refuse whatever truck and driver are chosen, by field. */
  problems: z.record(z.string(), z.string()),
  /** The artwork that trucks are compared with: the one asked for, or else the only approved one of the program. */
  artworkSet: namedRef.nullable(),
  /** Best first; unsuitable ones after them, refused ones last. */
  trucks: z.array(truckSuggestion),
  drivers: z.array(candidate),
  /** Whether there are more trucks or drivers than one answer ranks. */
  hasMore: z.strictObject({ trucks: z.boolean(), drivers: z.boolean() }),
})
export type ShiftSuggestions = z.infer<typeof suggestions>

export const shiftSuggestions = {
  list: endpoint({
    method: 'GET',
    path: 'program-schedule/suggestions',
    access: planAccess,
    summary:
      'Trucks and drivers for a shift, best first, with reasons, and with the sentence by which saving would refuse them. Without a market, the home market of the truck counts.',
    follows: ['shifts', 'outOfService'],
    added: true,
    query: withDifferentHours(
      z.strictObject({
        date: day,
        start: clock,
        end: clock,
        market: uid.optional(),
        program: uid.optional(),
        /** The truck chosen so far. */
        truck: uid.optional(),
        artworkSet: uid.optional(),
        /** The shift that is changed; absent for a new one. */
        uid: uid.optional(),
      }),
    ),
    reply: one(suggestions),
  }),
}
