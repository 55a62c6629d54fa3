import { randomUUID } from 'node:crypto'
import { API_BASE, contract } from '@roadshow/contract'
import { compareRates, type LoadTarget } from './load.ts'
import { homeMarketOf, newTruck } from './new-truck.ts'
import { type BenchFigure, shareFigure } from './report.ts'
import { apiTarget, type BenchWorld, FLOOR_CALLERS } from './world.ts'

/**
 * Single calls beside the floor: a bare server that reads the session of each call and runs one statement. Both are
 * asked by the many callers of the other figures, and by few, whose calls share less.
 */

const READ_BAR = 0.85
const FEW = `${FLOOR_CALLERS} callers`

export async function* measureReads(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const rows = await world.sql<{ uid: string }>(`select uid from truck where number like 'T-%77' limit 500`)
  const reading = (base: string): LoadTarget => ({
    ...apiTarget(world, ''),
    requests: rows.map(({ uid }) => ({ path: base.replace('{uid}', uid) })),
  })
  const ours = reading(`${API_BASE}/${contract.trucks.get.path}`)
  const many = await compareRates({ ours, bare: { ...reading('/trucks/{uid}'), url: world.bare } })
  yield shareFigure('Read one truck', many.ours, many.bare)
  const few = await compareRates({ ours, bare: { ...reading('/trucks/{uid}'), url: world.floor } }, 2, FLOOR_CALLERS)
  yield shareFigure(`Read one truck, ${FEW}`, few.ours, few.bare, READ_BAR)
}

export async function* measureCreates(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const homeMarketUid = await homeMarketOf(world)
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
          body: JSON.stringify(newTruck(homeMarketUid)),
        }),
      },
    ],
  })
  const ours = `${world.ours}${API_BASE}/${contract.trucks.create.path}`
  const many = await compareRates({
    ours: creating(ours),
    keyed: creating(ours, true),
    bare: creating(`${world.bare}/trucks`),
  })
  yield shareFigure('Create a truck', many.ours, many.bare)
  yield shareFigure('Create a truck with an Idempotency-Key', many.keyed, many.bare, null)
  const few = await compareRates({ ours: creating(ours), bare: creating(`${world.floor}/trucks`) }, 2, FLOOR_CALLERS)
  yield shareFigure(`Create a truck, ${FEW}`, few.ours, few.bare)
}
