import { feedFigures } from './feed-figures.ts'
import { fillRoad } from './fill-road.ts'
import { fillShifts } from './fill-shifts.ts'
import type { Figure } from './report.ts'
import { screenFigures } from './screen-figures.ts'
import { storingFigures } from './storing-figures.ts'
import type { World } from './world.ts'

/** The live fleet: what comes in from the road, what open pages are told of it, and the screens that show most. */
export async function* fleetFigures(world: World): AsyncGenerator<Figure> {
  await fillShifts(world.sql)
  const road = await fillRoad(world.sql)
  yield* storingFigures(world, road)
  yield* feedFigures(world)
  yield* screenFigures(world)
}
