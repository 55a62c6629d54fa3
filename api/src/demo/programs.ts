import { type ProgramStatus, proposePopUrl } from '@roadshow/contract'
import { demoClients, type DemoClient } from './clients.ts'
import { demoMarkets } from './markets.ts'
import { seededIntegers } from './seeded-integers.ts'

interface DemoProgram {
  client: DemoClient
  name: string
  status: ProgramStatus
  startsOn: string
  endsOn: string
  popUrl: string
  markets: { name: string; startsOn: string | null }[]
}

const DAY = 86_400_000

const dayAfter = (day: string, days: number) => new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)

const cycle: ProgramStatus[] = ['active', 'completed', 'active', 'draft', 'paused', 'active', 'completed', 'active']

/** Forty programs around a day: what is active or paused runs on it, what is completed is over, a draft is to come. */
export function demoPrograms(today: string): DemoProgram[] {
  const pick = seededIntegers(53)
  const campaigns = demoClients.flatMap((client) => client.campaigns.map((name) => ({ client, name })))
  return campaigns.map(({ client, name }, index) => {
    const status = cycle[index % cycle.length] ?? 'draft'
    const lasts = 28 + pick(7) * 7
    const since =
      status === 'completed' ? lasts + 5 + pick(90) : status === 'draft' ? -(7 + pick(45)) : 3 + pick(lasts - 10)
    const startsOn = dayAfter(today, -since)
    const from = pick(demoMarkets.length)
    const step = 1 + 2 * pick(2)
    return {
      client,
      name,
      status,
      startsOn,
      endsOn: dayAfter(startsOn, lasts - 1),
      popUrl: proposePopUrl(`${client.name} ${name}`),
      markets: Array.from({ length: 1 + pick(4) }, (_, place) => ({
        name: demoMarkets[(from + place * step) % demoMarkets.length]?.name ?? '',
        // A roll-out: the third market joins a week later.
        startsOn: place === 2 ? dayAfter(startsOn, 7) : null,
      })),
    }
  })
}
