import { randomUUID } from 'node:crypto'
import { API_BASE, contract, type TruckInput } from '@roadshow/contract'
import { FLEET, searchTerms } from './fleet.ts'
import { compare, median, ratioOf, type Target } from './load.ts'
import { type Figure, percent, perSecond, times } from './report.ts'
import type { World } from './world.ts'

const SHARE = 0.6
const DEEP = 5000

/** What the API's calls cost, beside the same statements in a bare server. */
export async function* apiFigures(world: World): AsyncGenerator<Figure> {
  yield* lists(world)
  yield* deepPages(world)
  yield* searches(world)
  yield* reads(world)
  yield* creates(world)
}

const api = ({ ours, token }: World, path: string): Target => ({
  url: `${ours}${API_BASE}/${path}`,
  headers: { authorization: `Bearer ${token}` },
})

const share = (name: string, ours: number[], bare: number[], bar: number | null = SHARE): Figure => ({
  name,
  ours: perSecond(median(ours)),
  beside: perSecond(median(bare)),
  ratio: percent(ratioOf(ours, bare)),
  bar: bar === null ? '' : `≥ ${percent(bar)}`,
  met: bar === null ? undefined : ratioOf(ours, bare) >= bar,
})

interface List {
  data: { uid: string }[]
  total?: number
}

async function ask<T = List>({ url, headers }: Target): Promise<T> {
  const answer = await fetch(url, { headers: headers as Record<string, string> })
  return (await answer.json()) as T
}

/** A floor that answers something else would be none. */
async function assertSame(ours: Target, bare: Target): Promise<void> {
  const [list, floor] = [await ask(ours), await ask(bare)]
  const shape = ({ data }: List) => JSON.stringify(data.map((row) => [row.uid, ...Object.keys(row)]))
  if (shape(list) !== shape(floor)) throw new Error(`${ours.url} and ${bare.url} answer different rows`)
}

async function* lists(world: World): AsyncGenerator<Figure> {
  const ours = api(world, contract.trucks.list.path)
  const bare = { url: `${world.bare}/list` }
  const counted = { url: `${world.bare}/list-counted` }
  await assertSame(ours, bare)
  const { total } = await ask(ours)
  if (total !== FLEET) throw new Error(`The list says ${total} trucks; there are ${FLEET}`)
  const rates = await compare({ ours, bare, counted })
  yield share('List with exact total, beside bare without a total', rates.ours, rates.bare)
  const ratio = ratioOf(rates.ours, rates.counted)
  yield {
    ...share('List with exact total, beside bare with count(*)', rates.ours, rates.counted),
    ratio: times(ratio),
    bar: '≥ 10 ×',
    met: ratio >= 10,
  }
}

async function* deepPages(world: World): AsyncGenerator<Figure> {
  const page = (number: number) => api(world, `${contract.trucks.list.path}?page=${number}`)
  const bare = { url: `${world.bare}/deep?page=${DEEP}` }
  const first = await milliseconds(page(DEEP))
  const rates = await compare({ top: page(1), deep: page(DEEP) })
  const slower = ratioOf(rates.top, rates.deep)
  yield {
    name: `Page ${DEEP.toLocaleString('en')}, beside page 1`,
    ours: perSecond(median(rates.deep)),
    beside: perSecond(median(rates.top)),
    ratio: `${times(slower)} slower`,
    bar: '≤ 3 ×',
    met: slower <= 3,
  }
  await assertSame(page(DEEP), bare)
  const warm = [await milliseconds(bare), await milliseconds(bare), await milliseconds(bare)]
  yield {
    name: `Page ${DEEP.toLocaleString('en')} when nobody has been near it, beside bare`,
    ours: `${first.toFixed(1)} ms`,
    beside: `${median(warm).toFixed(1)} ms`,
    ratio: `${times(first / median(warm))} as long`,
    bar: '',
    met: undefined,
  }
}

async function milliseconds(target: Target): Promise<number> {
  const start = performance.now()
  await ask(target)
  return performance.now() - start
}

async function* searches(world: World): AsyncGenerator<Figure> {
  const terms = await searchTerms(world.sql, 20_000)
  const ours = api(world, contract.trucks.list.path)
  const bare = { url: `${world.bare}/search` }
  for (const word of terms.slice(0, 20)) {
    const search = `?search=${encodeURIComponent(word)}`
    await assertSame({ ...ours, url: ours.url + search }, { url: bare.url + search })
  }
  const usual = terms.slice(0, 200)
  const rates = await compare({ ours: searching(ours, usual), bare: searching(bare, usual) })
  yield share('Search, 200 words in turn', rates.ours, rates.bare)
  const fresh = await compare({ ours: searching(ours, terms), bare: searching(bare, terms) })
  yield share('Search, 20,000 words in turn', fresh.ours, fresh.bare, null)
}

/** Each request asks for the next word, whichever connection it goes by. */
function searching(target: Target, words: string[]): Target {
  const paths = words.map((word) => `${new URL(target.url).pathname}?search=${encodeURIComponent(word)}`)
  let asked = 0
  const nextPath = () => paths[asked++ % paths.length] ?? ''
  return { ...target, requests: [{ setupRequest: (request) => ({ ...request, path: nextPath() }) }] }
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
