import { randomUUID } from 'node:crypto'
import { API_BASE, contract } from '@roadshow/contract'
import { compareProcessorTimes, compareRates, type LoadTarget } from './load.ts'
import { homeMarketOf, newTruck } from './new-truck.ts'
import { type BenchFigure, processorFigure, shareFigure } from './report.ts'
import { apiTarget, type BenchWorld, FLOOR_CALLERS, openSessions } from './world.ts'

/**
 * Single calls beside the floor: a bare server that reads the session of each call and runs one statement. Both are
 * asked by the many callers of the other figures. The floor with few database connections is asked by as many callers as
 * it has connections and by more, each with a session of its own: these share less, and none waits for a connection
 * because the others have them all.
 */

const READ_BAR = 0.8
const CREATE_BAR = 0.6
const MORE_CALLERS = 32

interface Sides {
  ours: LoadTarget
  bare: LoadTarget
}

/** One kind of call beside the floor: by rate, and by the processor time of each call. */
async function* measureFloor(world: BenchWorld, name: string, sides: Sides, bar: number): AsyncGenerator<BenchFigure> {
  for (const callers of [FLOOR_CALLERS, MORE_CALLERS]) {
    const { ours, bare } = await compareRates(sides, 2, callers)
    yield shareFigure(`${name}, ${callers} callers, bare with ${FLOOR_CALLERS} connections`, ours, bare, bar)
  }
  const targets = { ours: { ...sides.ours, pid: world.pid }, bare: { ...sides.bare, pid: world.floorPid } }
  const times = await compareProcessorTimes(targets, FLOOR_CALLERS)
  yield processorFigure(`${name}, processor time, ${FLOOR_CALLERS} callers`, times.ours, times.bare, bar)
}

export async function* measureReads(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const rows = await world.sql<{ uid: string }>(`select uid from truck where number like 'T-%77' limit 500`)
  const tokens = await openSessions(world, MORE_CALLERS)
  const reading = (base: string, sessions: readonly string[]): LoadTarget => ({
    ...apiTarget(world, ''),
    requests: rows.map(({ uid }, index) => ({
      path: base.replace('{uid}', uid),
      headers: { authorization: `Bearer ${sessions[index % sessions.length]}` },
    })),
  })
  const path = `${API_BASE}/${contract.trucks.get.path}`
  const many = await compareRates({
    ours: reading(path, [world.token]),
    bare: { ...reading('/trucks/{uid}', [world.token]), url: world.bare },
  })
  yield shareFigure('Read one truck', many.ours, many.bare)
  const sides = { ours: reading(path, tokens), bare: { ...reading('/trucks/{uid}', tokens), url: world.floor } }
  yield* measureFloor(world, 'Read one truck', sides, READ_BAR)
}

export async function* measureCreates(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const homeMarketUid = await homeMarketOf(world)
  const tokens = await openSessions(world, MORE_CALLERS)
  let asked = 0
  const creating = (url: string, sessions: readonly string[], keyed = false): LoadTarget => ({
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
            authorization: `Bearer ${sessions[++asked % sessions.length]}`,
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
    ours: creating(ours, [world.token]),
    keyed: creating(ours, [world.token], true),
    bare: creating(`${world.bare}/trucks`, [world.token]),
  })
  yield shareFigure('Create a truck', many.ours, many.bare)
  yield shareFigure('Create a truck with an Idempotency-Key', many.keyed, many.bare, null)
  const sides = { ours: creating(ours, tokens), bare: creating(`${world.floor}/trucks`, tokens) }
  yield* measureFloor(world, 'Create a truck', sides, CREATE_BAR)
}
