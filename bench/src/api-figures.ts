import { measureDeepPages, measureLists, measureSearches, measureUnvisitedPage } from './list-figures.ts'
import { measureCreates, measureReads } from './call-figures.ts'
import { measurePagesWhileWriting } from './latency-figures.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

/** What the API's calls cost, beside the same statements in a bare server. */
export async function* measureApi(world: BenchWorld): AsyncGenerator<BenchFigure> {
  yield* measureLists(world, 'trucks')
  yield await measureUnvisitedPage(world, 'trucks')
  yield* measureDeepPages(world, 'trucks')
  yield* measureSearches(world, 'trucks', 200)
  yield* measureSearches(world, 'trucks', 20_000, null)
  yield* measureReads(world)
  yield* measurePagesWhileWriting(world)
  yield* measureCreates(world)
}
