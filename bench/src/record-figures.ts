import { fillRecords } from './fill-records.ts'
import type { KindName } from './kinds.ts'
import { deepPages, lists, searches } from './list-figures.ts'
import type { Figure } from './report.ts'
import type { World } from './world.ts'

const measured: KindName[] = ['clients', 'programs', 'artwork', 'users']

/** The lists that the business runs on, each of 100,000 rows, by the same bars as the trucks. */
export async function* recordFigures(world: World): AsyncGenerator<Figure> {
  console.log('Filling it with 100,000 clients, programs, artwork sets and users …')
  await fillRecords(world.sql)
  for (const kind of measured) {
    yield* lists(world, kind, 1)
    yield* deepPages(world, kind, 1)
    yield* searches(world, kind, 200, undefined, 1)
  }
}
