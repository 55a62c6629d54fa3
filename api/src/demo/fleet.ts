import type { TruckKind, TruckState } from '@roadshow/contract'

export const markets = [
  { name: 'Atlanta', state: 'GA', zone: 'America/New_York' },
  { name: 'Boston', state: 'MA', zone: 'America/New_York' },
  { name: 'Chicago', state: 'IL', zone: 'America/Chicago' },
  { name: 'Dallas', state: 'TX', zone: 'America/Chicago' },
  { name: 'Denver', state: 'CO', zone: 'America/Denver' },
  { name: 'Houston', state: 'TX', zone: 'America/Chicago' },
  { name: 'Los Angeles', state: 'CA', zone: 'America/Los_Angeles' },
  { name: 'Miami', state: 'FL', zone: 'America/New_York' },
  { name: 'New York', state: 'NY', zone: 'America/New_York' },
  { name: 'Phoenix', state: 'AZ', zone: 'America/Phoenix' },
  { name: 'San Francisco', state: 'CA', zone: 'America/Los_Angeles' },
  { name: 'Seattle', state: 'WA', zone: 'America/Los_Angeles' },
]

const VIN_SIGNS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

// The same fleet every time: a small generator of repeatable numbers, not randomness.
function* repeatable(seed: number): Generator<number, never> {
  let state = seed
  for (;;) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    yield state
  }
}

interface DemoTruck {
  number: string
  plate: string
  vin: string
  kind: TruckKind
  state: TruckState
  market: string
  note: string
}

/** Forty trucks, spread over the markets. */
export function trucks(): DemoTruck[] {
  const numbers = repeatable(7)
  const pick = (limit: number) => Math.floor(numbers.next().value / 65_536) % limit
  const sign = () => VIN_SIGNS[pick(VIN_SIGNS.length)] ?? 'A'
  const letter = () => String.fromCharCode(65 + pick(26))
  return Array.from({ length: 40 }, (_, index) => {
    const market = markets[index % markets.length]
    const state: TruckState = index === 12 || index === 27 ? 'inShop' : index === 38 ? 'retired' : 'active'
    return {
      number: `T-${index + 1}`,
      plate: `${letter()}${letter()}${letter()}-${1000 + pick(9000)}`,
      vin: `1HT${Array.from({ length: 14 }, sign).join('')}`,
      kind: index % 8 === 5 ? 'printed' : 'led',
      state,
      market: market?.name ?? '',
      note: index === 12 ? 'Rear screen: two dead panels, parts ordered.' : index === 27 ? 'Brake service.' : '',
    }
  })
}
