import {
  type BodyOf,
  type MarketEstimate,
  PROPOSAL_FORMAT,
  type ProposalArtwork,
  type ProposalDocument,
  type ProposalEstimate,
  type salesProposals,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { estimatePlanned, loadTypicalShifts } from '../../proof/impressions/index.ts'
import type { ProgramFacts } from './facts.ts'
import { proposalBlocker, wrongValidUntil } from './rules.ts'

export type ProposalInput = BodyOf<typeof salesProposals.create>

/** The impressions that each market with booked lines may give; null where they are turned off. */
async function loadEstimate(db: Db, { markets, lines }: ProgramFacts): Promise<ProposalEstimate | null> {
  const typical = await loadTypicalShifts(
    db,
    markets.map(({ uid }) => uid),
  )
  if (!typical) return null
  const estimates = markets.flatMap(({ uid, name }): MarketEstimate[] => {
    const ofMarket = lines.filter(({ market }) => market.uid === uid)
    return ofMarket.length > 0 ? [{ market: name, ...estimatePlanned(ofMarket, typical.markets.get(uid)) }] : []
  })
  return { method: typical.method, markets: estimates }
}

/** The zone by whose clocks a proposal ends: that of its first market. */
const zoneOf = ({ markets }: ProgramFacts): string => markets[0]?.zone ?? 'UTC'

/** Refuses what cannot be proposed, and a last day that is over or too far away. */
export function checkInput(facts: ProgramFacts, { validUntil }: ProposalInput, now: number): void {
  const blocker = proposalBlocker(facts)
  if (blocker) throw new AppError(blocker)
  const wrong = wrongValidUntil(validUntil, zoneOf(facts), now)
  if (wrong) refuseFields({ validUntil: wrong })
}

interface Edition {
  number: number
  brand: string
  sentAt: string
  artwork: ProposalArtwork[]
}

/** What the client reads. Every field is named here, so that nothing else of the program gets in. */
export async function makeDocument(
  db: Db,
  facts: ProgramFacts,
  { title, introduction, validUntil, showsPrices }: ProposalInput,
  { number, brand, sentAt, artwork }: Edition,
): Promise<ProposalDocument> {
  return {
    format: PROPOSAL_FORMAT,
    number,
    sentAt,
    brand,
    client: facts.client,
    title,
    introduction,
    validUntil,
    zone: zoneOf(facts),
    program: facts.program,
    startsOn: facts.startsOn,
    endsOn: facts.endsOn,
    markets: facts.markets.map(({ name, state, startsOn, endsOn }) => ({ name, state, startsOn, endsOn })),
    lines: facts.lines.map(({ market, unit, amount, startsOn, endsOn, priceCents }) => ({
      market: market.name,
      unit,
      amount,
      startsOn,
      endsOn,
      priceCents: showsPrices ? priceCents : null,
    })),
    showsPrices,
    artwork,
    places: facts.places,
    estimate: await loadEstimate(db, facts),
  }
}
