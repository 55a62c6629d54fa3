import { type RecordKindName, recordKinds } from './kinds.ts'
import { compareRates, median, type RoundSeconds, ratioOf, type LoadTarget } from './load.ts'
import { type BenchFigure, perSecond, MIN_SHARE, shareFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

/** The figures of a list: the same for every kind of record. */

const DEEP = 5000

interface List {
  data: { uid?: string; userUid?: string }[]
  total?: number
}

async function ask({ url, headers }: LoadTarget): Promise<List> {
  const answer = await fetch(url, { headers: headers as Record<string, string> })
  return (await answer.json()) as List
}

/** A floor that answers something else would be none. */
async function assertSame(ours: LoadTarget, bare: LoadTarget): Promise<void> {
  const [list, floor] = [await ask(ours), await ask(bare)]
  const shape = ({ data }: List) => JSON.stringify(data.map((row) => [row.uid ?? row.userUid, ...Object.keys(row)]))
  if (shape(list) !== shape(floor)) throw new Error(`${ours.url} and ${bare.url} answer different rows`)
}

/** Our list of a kind, and what the bare server answers beside it. */
const sidesOf = (world: BenchWorld, kind: RecordKindName, call: string) => ({
  ours: apiTarget(world, recordKinds[kind].path),
  bare: { url: `${world.bare}/${call}/${kind}` },
})

export async function* measureLists(
  world: BenchWorld,
  kind: RecordKindName,
  pace?: RoundSeconds,
): AsyncGenerator<BenchFigure> {
  const { title, records } = recordKinds[kind]
  const { ours, bare } = sidesOf(world, kind, 'list')
  await assertSame(ours, bare)
  const [{ count } = { count: 0 }] = await world.sql<{ count: number }>(
    `select count(*)::int from ${records.table} where deleted_at is null`,
  )
  const { total } = await ask(ours)
  if (total !== count) throw new Error(`${title}: the list says ${total}; there are ${count}`)
  const rates = await compareRates({ ours, bare, counted: sidesOf(world, kind, 'list-counted').bare }, pace)
  yield shareFigure(`${title}: list with exact total, beside bare without a total`, rates.ours, rates.bare)
  const ratio = ratioOf(rates.ours, rates.counted)
  yield {
    ...shareFigure(`${title}: list with exact total, beside bare with count(*)`, rates.ours, rates.counted),
    ratio: times(ratio),
    bar: '≥ 10 ×',
    met: ratio >= 10,
  }
}

const pageOf = (world: BenchWorld, kind: RecordKindName, page: number) => {
  const { ours, bare } = sidesOf(world, kind, 'deep')
  return { ours: { ...ours, url: `${ours.url}?page=${page}` }, bare: { url: `${bare.url}?page=${page}` } }
}

const deepTitle = (kind: RecordKindName) => `${recordKinds[kind].title}: page ${DEEP.toLocaleString('en')}`

export async function* measureDeepPages(
  world: BenchWorld,
  kind: RecordKindName,
  pace?: RoundSeconds,
): AsyncGenerator<BenchFigure> {
  const { ours, bare } = pageOf(world, kind, DEEP)
  await assertSame(ours, bare)
  const rates = await compareRates({ top: pageOf(world, kind, 1).ours, deep: ours }, pace)
  const slower = ratioOf(rates.top, rates.deep)
  yield {
    name: `${deepTitle(kind)}, beside page 1`,
    ours: perSecond(median(rates.deep)),
    beside: perSecond(median(rates.top)),
    ratio: `${times(slower)} slower`,
    bar: '≤ 3 ×',
    met: slower <= 3,
  }
}

/** A deep page that no place is remembered for; to be measured before any other deep page of the kind. */
export async function measureUnvisitedPage(world: BenchWorld, kind: RecordKindName): Promise<BenchFigure> {
  const { ours, bare } = pageOf(world, kind, DEEP)
  const first = await milliseconds(ours)
  const warm = [await milliseconds(bare), await milliseconds(bare), await milliseconds(bare)]
  return {
    name: `${deepTitle(kind)} on the first visit, beside bare`,
    ours: `${first.toFixed(1)} ms`,
    beside: `${median(warm).toFixed(1)} ms`,
    ratio: `${times(first / median(warm))} as long`,
    bar: '',
    met: undefined,
  }
}

async function milliseconds(target: LoadTarget): Promise<number> {
  const start = performance.now()
  await ask(target)
  return performance.now() - start
}

export async function* measureSearches(
  world: BenchWorld,
  kind: RecordKindName,
  count: number,
  bar: number | null = MIN_SHARE,
  pace?: RoundSeconds,
): AsyncGenerator<BenchFigure> {
  const { title, terms } = recordKinds[kind]
  const words = (await world.sql<{ term: string }>(terms, [count])).map(({ term }) => term)
  if (words.length !== count) throw new Error(`${title}: ${words.length} words to search by; ${count} are needed`)
  const { ours, bare } = sidesOf(world, kind, 'search')
  for (const word of words.slice(0, 20)) {
    const search = `?search=${encodeURIComponent(word)}`
    await assertSame({ ...ours, url: ours.url + search }, { url: bare.url + search })
  }
  const rates = await compareRates({ ours: searching(ours, words), bare: searching(bare, words) }, pace)
  yield shareFigure(`${title}: search, ${count.toLocaleString('en')} words in turn`, rates.ours, rates.bare, bar)
}

/** Each request asks for the next word, whichever connection it goes by. */
function searching(target: LoadTarget, words: string[]): LoadTarget {
  const paths = words.map((word) => `${new URL(target.url).pathname}?search=${encodeURIComponent(word)}`)
  let asked = 0
  const nextPath = () => paths[asked++ % paths.length] ?? ''
  return { ...target, requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }] }
}
