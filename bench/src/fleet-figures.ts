import { measureFleetUpdates } from './fleet-update-figures.ts'
import { fillRoad } from './fill-road.ts'
import { fillShifts } from './fill-shifts.ts'
import type { BenchFigure } from './report.ts'
import { measureScreens } from './screen-figures.ts'
import { measureStoring } from './storing-figures.ts'
import type { BenchWorld } from './world.ts'

/** The live fleet: data from the road, messages to open pages, and the fullest screens. */
export async function* measureFleet(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const road = await fillRoad(world.sql)
  yield* measureStoring(world, road)
  yield* measureFleetUpdates(world)
  yield* measureScreens(world)
}
