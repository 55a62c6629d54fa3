import type { PlannedStop } from '@roadshow/contract'
import { zipCenter } from '../catalog/markets/index.ts'
import { demoMarkets } from './markets.ts'

/** The stops of a crew by the start of its shift: which of the market's places, what is there, and from when to when. */
const STOPS_BY_START: Record<string, readonly Omit<PlannedStop, 'latitude' | 'longitude'>[]> = {
  '08:00': [stop('farmers market', '11:30', '13:00', 'Slow lap around the square, then park facing the entrance.')],
  '10:00': [stop('plaza', '16:00', '17:30', '')],
  '11:00': [
    stop('stadium', '17:00', '19:00', 'Fans arrive from the north gate.', 60),
    stop('theater district', '20:30', '22:00', ''),
  ],
  '15:00': [stop('stadium', '17:00', '19:00', 'Fans arrive from the north gate.', 60)],
  '20:00': [stop('theater district', '21:30', '23:00', '')],
}

function stop(name: string, from: string, to: string, note: string, minMinutes: number | null = null) {
  return { name, radiusM: 402, from, to, minMinutes, note }
}

/** Which of a market's places each kind of stop is near. */
const PLACE_OF: Record<string, number> = { 'farmers market': 0, plaza: 1, stadium: 2, 'theater district': 3 }
// Every third crew has stops.
const CREWS = 3

/** Finds the planned stops of a crew's shift in a market, by the name of the market. */
export async function stopsChooser(): Promise<
  (crew: number, shift: { market: string; start: string }) => PlannedStop[]
> {
  const known = new Map<string, PlannedStop[]>()
  for (const { name, state, places } of demoMarkets) {
    for (const [start, stops] of Object.entries(STOPS_BY_START)) {
      const placed = await Promise.all(
        stops.map(async (each) => {
          const [zip, area] = places[PLACE_OF[each.name] ?? 0] ?? []
          const at = zip ? await zipCenter(`${name}, ${state} ${zip}`) : undefined
          return at ? [{ ...each, name: `${area} ${each.name}`, latitude: at.latitude, longitude: at.longitude }] : []
        }),
      )
      known.set(`${name} ${start}`, placed.flat())
    }
  }
  return (crew, { market, start }) => (crew % CREWS === 0 ? (known.get(`${market} ${start}`) ?? []) : [])
}
