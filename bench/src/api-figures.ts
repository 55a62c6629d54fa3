import { randomUUID } from 'node:crypto'
import { API_BASE, contract, type TruckInput } from '@roadshow/contract'
import { measureDeepPages, measureLists, measureSearches, measureUnvisitedPage } from './list-figures.ts'
import { compareRates, type LoadTarget } from './load.ts'
import { type BenchFigure, shareFigure } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

/** What the API's calls cost, beside the same statements in a bare server. */
export async function* measureApi(world: BenchWorld): AsyncGenerator<BenchFigure> {
  yield* measureLists(world, 'trucks')
  yield await measureUnvisitedPage(world, 'trucks')
  yield* measureDeepPages(world, 'trucks')
  yield* measureSearches(world, 'trucks', 200)
  yield* measureSearches(world, 'trucks', 20_000, null)
  yield* reads(world)
  yield* creates(world)
}

async function* reads(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const rows = await world.sql<{ uid: string }>(`select uid from truck where number like 'T-%77' limit 500`)
  const reading = (base: string): LoadTarget => ({
    ...apiTarget(world, ''),
    requests: rows.map(({ uid }) => ({ path: base.replace('{uid}', uid) })),
  })
  const rates = await compareRates({
    ours: reading(`${API_BASE}/${contract.trucks.get.path}`),
    bare: { ...reading('/trucks/{uid}'), url: world.bare },
  })
  yield shareFigure('Read one truck', rates.ours, rates.bare)
}

let created = 0

function newTruck(homeMarketUid: string): TruckInput {
  const n = String(++created)
  const vin = `9BE${n.padStart(14, '0')}`
  return { number: `N-${n}`, plate: `N${n}`, vin, kind: 'led', state: 'active', homeMarketUid, note: '' }
}

async function* creates(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const [market] = await world.sql<{ uid: string }>('select uid from market limit 1')
  const creating = (url: string, keyed = false): LoadTarget => ({
    ...apiTarget(world, ''),
    url,
    requests: [
      {
        method: 'POST',
        path: new URL(url).pathname,
        setupRequest: (request) => ({
          ...request,
          headers: {
            ...request.headers,
            'content-type': 'application/json',
            ...(keyed && { 'idempotency-key': randomUUID() }),
          },
          body: JSON.stringify(newTruck(market?.uid ?? '')),
        }),
      },
    ],
  })
  const url = `${world.ours}${API_BASE}/${contract.trucks.create.path}`
  const rates = await compareRates({
    ours: creating(url),
    keyed: creating(url, true),
    bare: creating(`${world.bare}/trucks`),
  })
  yield shareFigure('Create a truck', rates.ours, rates.bare)
  yield shareFigure('Create a truck with an Idempotency-Key', rates.keyed, rates.bare, null)
}
