import { addDays, contract, type FillProposal, workweekOf } from '@roadshow/contract'
import { fillShifts } from './fill-shifts.ts'
import type { BenchFigure } from './report.ts'
import { type Crew, keepOnly, loadCrews } from './suggestion-figures.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const TRUCKS = 60
const DRIVERS = 70
const SHIFTS = 120
const MOST_SECONDS = 15
const POLL_MS = 100
/** A Monday after the last of the shifts that are planned already. */
const MONDAY = workweekOf(addDays(new Date().toISOString().slice(0, 10), 300))

/** A fill proposal of 120 shifts in two markets and two weeks among 60 trucks and 70 drivers, from the call to the result. */
export async function* measureFill(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const crews = await loadCrews(world, DRIVERS)
  await keepOnly(world, crews.slice(0, TRUCKS), crews)
  const markets = [...new Set(crews.map(({ market }) => market))].slice(0, 2)
  const [crew] = crews
  if (!crew || markets.length < 2) throw new Error('There are no crews in two markets.')
  const startedAt = performance.now()
  await startFillProposal(world, crew, markets)
  const proposal = await settledFillProposal(world)
  const seconds = (performance.now() - startedAt) / 1000
  const placed = proposal.result?.shifts.length ?? 0
  if (placed !== SHIFTS) throw new Error(`${placed} of ${SHIFTS} shifts are placed: ${proposal.failure}`)
  yield {
    name: `Proposal of ${SHIFTS} shifts among ${TRUCKS} trucks and ${DRIVERS} drivers`,
    ours: `${seconds.toFixed(1)} s`,
    beside: '',
    ratio: '',
    bar: `≤ ${MOST_SECONDS} s`,
    met: seconds <= MOST_SECONDS,
  }
}

async function startFillProposal(world: BenchWorld, { program }: Crew, markets: readonly string[]): Promise<void> {
  const { url, headers } = apiTarget(world, contract.shiftFill.start.path)
  const body = {
    programUid: program,
    markets: markets.map((marketUid) => ({ marketUid, trucks: SHIFTS / 2 / 10 })),
    from: MONDAY,
    to: addDays(MONDAY, 11),
    weekdays: [1, 2, 3, 4, 5],
    start: '08:00',
    end: '16:00',
  }
  const sent = { ...headers, 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The proposal is refused: ${await answer.text()}`)
}

async function settledFillProposal(world: BenchWorld): Promise<FillProposal> {
  const { url, headers } = apiTarget(world, contract.shiftFill.current.path)
  for (;;) {
    const { data } = contract.shiftFill.current.reply.parse(await (await fetch(url, { headers })).json())
    if (data && data.state !== 'solving') return data
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
