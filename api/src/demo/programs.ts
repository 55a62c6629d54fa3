import { addDays, type ProgramStatus, proposePopUrl } from '@roadshow/contract'
import { demoClients, type DemoClient } from './clients.ts'
import { demoMarkets } from './markets.ts'
import { seededIntegers } from './seeded-integers.ts'

export interface DemoProgram {
  client: DemoClient
  name: string
  status: ProgramStatus
  startsOn: string
  endsOn: string
  popUrl: string
  markets: { name: string; startsOn: string | null }[]
}

const cycle: ProgramStatus[] = ['active', 'completed', 'active', 'draft', 'paused', 'active', 'completed', 'active']

/** The share of the past that has shifts: whatever began was on the road within these days. */
export const PAST_DAYS = 56

/** Days between the start of a program and today; negative for one that is to come. */
function daysSinceStart(status: ProgramStatus, lasts: number, pick: (limit: number) => number): number {
  if (status === 'draft') return -(7 + pick(45))
  // A completed program ended within the last five weeks, so that its shifts lie in the past that is recorded.
  if (status === 'completed') return lasts + 4 + pick(28)
  return 14 + pick(lasts - 20)
}

/** Forty programs around a day: what is active or paused runs on it, what is completed is over, a draft is to come. */
export function demoPrograms(today: string): DemoProgram[] {
  const pick = seededIntegers(53)
  const campaigns = demoClients.flatMap((client) => client.campaigns.map((name) => ({ client, name })))
  return campaigns.map(({ client, name }, index) => {
    const status = cycle[index % cycle.length] ?? 'draft'
    const lasts = 28 + pick(7) * 7
    const since = daysSinceStart(status, lasts, pick)
    const startsOn = addDays(today, -since)
    const from = pick(demoMarkets.length)
    const step = 1 + 2 * pick(2)
    return {
      client,
      name,
      status,
      startsOn,
      endsOn: addDays(startsOn, lasts - 1),
      popUrl: proposePopUrl(`${client.name} ${name}`),
      markets: Array.from({ length: 1 + pick(4) }, (_, place) => ({
        name: demoMarkets[(from + place * step) % demoMarkets.length]?.name ?? '',
        // A roll-out: the third market joins a week later.
        startsOn: place === 2 ? addDays(startsOn, 7) : null,
      })),
    }
  })
}
