import { fillRecords } from './fill-records.ts'
import type { RecordKindName } from './kinds.ts'
import { measureDeepPages, measureLists, measureSearches } from './list-figures.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const measured: RecordKindName[] = ['clients', 'programs', 'artwork', 'users']

/** The lists that the business runs on, each of 100,000 rows, by the same bars as the trucks. */
export async function* measureRecords(world: BenchWorld): AsyncGenerator<BenchFigure> {
  console.log('Filling it with 100,000 clients, programs, artwork sets and users …')
  await fillRecords(world.sql)
  for (const kind of measured) {
    yield* measureLists(world, kind, 1)
    yield* measureDeepPages(world, kind, 1)
    yield* measureSearches(world, kind, 200, undefined, 1)
  }
}
