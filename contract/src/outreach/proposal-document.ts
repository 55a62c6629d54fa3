import * as z from '../platform/zod.ts'
import { day, instant } from '../platform/common.ts'
import { bookedUnit } from '../catalog/booked-lines.ts'
import { proposalPictureKey } from './proposals.ts'

/** The newest format of a proposal's document. A format never changes: a new field makes the next one. */
export const PROPOSAL_FORMAT = 1

const proposalLine = z.strictObject({
  market: z.string(),
  unit: bookedUnit,
  amount: z.int(),
  startsOn: day,
  endsOn: day,
  /** Null without a price, and in a proposal that shows none. */
  priceCents: z.int().nullable(),
})
export type ProposalLine = z.infer<typeof proposalLine>

const proposalSide = z.strictObject({ key: proposalPictureKey, width: z.int(), height: z.int() }).nullable()

const proposalArtwork = z.strictObject({
  name: z.string(),
  driverSide: proposalSide,
  passengerSide: proposalSide,
  rear: proposalSide,
})
export type ProposalArtwork = z.infer<typeof proposalArtwork>

const proposalPlace = z.strictObject({
  label: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
export type ProposalPlace = z.infer<typeof proposalPlace>

/** The addresses near a market, and how many there are in all. */
const marketPlaces = z.strictObject({ market: z.string(), total: z.int(), places: z.array(proposalPlace) })
export type MarketPlaces = z.infer<typeof marketPlaces>

/** Why a market has no estimate. */
export const noEstimateReasons = ['noHours', 'fewShifts'] as const

const marketEstimate = z.strictObject({
  market: z.string(),
  /** The hours that its booked lines amount to; null where they say nothing of hours. */
  hours: z.number().nullable(),
  /** The past shifts whose impressions an hour are the basis. */
  shifts: z.int(),
  range: z.strictObject({ low: z.int(), likely: z.int(), high: z.int() }).nullable(),
  reason: z.enum(noEstimateReasons).nullable(),
})
export type MarketEstimate = z.infer<typeof marketEstimate>

const proposalEstimate = z.strictObject({
  method: z.strictObject({ version: z.int(), sha256: z.string() }),
  markets: z.array(marketEstimate),
})
export type ProposalEstimate = z.infer<typeof proposalEstimate>

/** What a client reads and accepts. It names no uid, no depot and no person but the one who accepts. */
export const proposalDocument = z.strictObject({
  format: z.literal(PROPOSAL_FORMAT),
  number: z.int(),
  sentAt: instant,
  brand: z.string(),
  client: z.string(),
  title: z.string(),
  introduction: z.string(),
  /** The last day on which it can be accepted, by the clocks of `zone`. */
  validUntil: day,
  zone: z.string(),
  program: z.string(),
  startsOn: day,
  endsOn: day,
  markets: z.array(z.strictObject({ name: z.string(), state: z.string(), startsOn: day, endsOn: day })),
  lines: z.array(proposalLine),
  showsPrices: z.boolean(),
  artwork: z.array(proposalArtwork),
  places: z.array(marketPlaces),
  /** Null where estimated impressions are turned off. */
  estimate: proposalEstimate.nullable(),
})
export type ProposalDocument = z.infer<typeof proposalDocument>
