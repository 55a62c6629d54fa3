import { randomUUID } from 'node:crypto'
import { API_BASE, contract, type TruckInput } from '@roadshow/contract'
import { deepPages, lists, searches, unvisitedPage } from './list-figures.ts'
import { compare, type Target } from './load.ts'
import { type Figure, share } from './report.ts'
import { api, type World } from './world.ts'

/** What the API's calls cost, beside the same statements in a bare server. */
export async function* apiFigures(world: World): AsyncGenerator<Figure> {
  yield* lists(world, 'trucks')
  yield await unvisitedPage(world, 'trucks')
  yield* deepPages(world, 'trucks')
  yield* searches(world, 'trucks', 200)
  yield* searches(world, 'trucks', 20_000, null)
  yield* reads(world)
  yield* creates(world)
}

async function* reads(world: World): AsyncGenerator<Figure> {
  const rows = await world.sql<{ uid: string }>(`select uid from truck where number like 'T-%77' limit 500`)
  const reading = (base: string): Target => ({
    ...api(world, ''),
    requests: rows.map(({ uid }) => ({ path: base.replace('{uid}', uid) })),
  })
  const rates = await compare({
    ours: reading(`${API_BASE}/${contract.trucks.get.path}`),
    bare: { ...reading('/trucks/{uid}'), url: world.bare },
  })
  yield share('Read one truck', rates.ours, rates.bare)
}

let created = 0

function newTruck(homeMarketUid: string): TruckInput {
  const n = String(++created)
  const vin = `9BE${n.padStart(14, '0')}`
  return { number: `N-${n}`, plate: `N${n}`, vin, kind: 'led', state: 'active', homeMarketUid, note: '' }
}

async function* creates(world: World): AsyncGenerator<Figure> {
  const [market] = await world.sql<{ uid: string }>('select uid from market limit 1')
  const creating = (url: string, keyed = false): Target => ({
    ...api(world, ''),
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
  const rates = await compare({
    ours: creating(url),
    keyed: creating(url, true),
    bare: creating(`${world.bare}/trucks`),
  })
  yield share('Create a truck', rates.ours, rates.bare)
  yield share('Create a truck with an Idempotency-Key', rates.keyed, rates.bare, null)
}
