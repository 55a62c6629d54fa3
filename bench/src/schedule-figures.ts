import { contract, addDays, shiftRange, type ShiftUploadResult } from '@roadshow/contract'
import {
  CREWS,
  FIELDS,
  FIRST_DAY,
  fillShifts,
  PLANNED_TRUCKS,
  NEXT_WEEK,
  retireUnplanned,
  returnUnplanned,
} from './fill-shifts.ts'
import { median, ratioOf } from './load.ts'
import { MB, megabytes, memoryOf, watchMemory } from './memory.ts'
import { type BenchFigure, times } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

const ROUNDS = 5
const ROWS = 10_000
/** How many times the bare INSERT an upload of so many rows may take. */
export const MOST_TIMES = 4
const MOST_MEMORY = 300 * MB
const BOARD_DAYS = 14
const BOARD_ROUNDS = 20
const MOST_BOARD_TIMES = 3

interface Crew {
  truck: string
  number: string
  driver: string
  driver_name: string
  program: string
  program_name: string
  market: string
  market_name: string
  zone: string
}

/** An upload of 10,000 rows beside the bare INSERT of them, and the board beside its bare query. */
export async function* measureSchedule(world: BenchWorld): AsyncGenerator<BenchFigure> {
  await fillShifts(world.sql)
  const crews = await world.sql<Crew & Record<string, unknown>>(`${CREWS} order by t.n`)
  yield* uploadOfRows(world, crews)
  await retireUnplanned(world.sql)
  try {
    yield* board(world, crews)
  } finally {
    await returnUnplanned(world.sql)
  }
}

export const milliseconds = (ms: number) => `${Math.round(ms).toLocaleString('en')} ms`

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

async function* uploadOfRows(world: BenchWorld, crews: Crew[]): AsyncGenerator<BenchFigure> {
  // The first upload also compiles, on both sides.
  await saveOurs(world, evenings(crews, 0))
  await saveBare(world, evenings(crews, 1))
  const before = await watchMemory(world.pid)
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 1; round <= ROUNDS; round++) {
    took.ours.push(await saveOurs(world, evenings(crews, 2 * round)))
    took.bare.push(await saveBare(world, evenings(crews, 2 * round + 1)))
  }
  const { peak } = await memoryOf(world.pid)
  const ratio = ratioOf(took.ours, took.bare)
  yield {
    name: 'Upload of 10,000 shifts, checked and saved, 500,000 being there, beside a bare INSERT of them',
    ours: milliseconds(median(took.ours)),
    beside: milliseconds(median(took.bare)),
    ratio: times(ratio),
    bar: `≤ ${times(MOST_TIMES)}`,
    met: ratio <= MOST_TIMES,
  }
  yield {
    name: `Our server's memory over ${ROUNDS} such uploads, at its peak`,
    ours: megabytes(peak),
    beside: `${megabytes(before)} before`,
    ratio: '',
    bar: `< ${megabytes(MOST_MEMORY)}`,
    met: peak < MOST_MEMORY,
  }
}

type Evening = Crew & { date: string; start: string; end: string }

/** Ten evenings of every truck, other ones each turn. */
const evenings = (crews: Crew[], turn: number): Evening[] =>
  Array.from({ length: ROWS }, (_, index) => ({
    ...(crews[index % PLANNED_TRUCKS] as Crew),
    date: addDays(NEXT_WEEK, turn * 10 + Math.floor(index / PLANNED_TRUCKS)),
    start: '18:00',
    end: '23:00',
  }))

async function saveOurs(world: BenchWorld, shifts: Evening[]): Promise<number> {
  const lines = shifts.map((shift) =>
    [shift.date, '6:00 PM', '11 pm', shift.number, shift.driver_name, shift.program_name, shift.market_name].join(','),
  )
  const file = new Blob([`Date,Start,End,Truck,Driver,Program,Market\n${lines.join('\n')}\n`], { type: 'text/csv' })
  const send = async (body: object): Promise<ShiftUploadResult> => {
    const { url, headers } = apiTarget(world, contract.shiftUpload.upload.path)
    const form = new FormData()
    form.append('data', JSON.stringify(body))
    form.append('file', file, 'shifts.csv')
    const answer = await fetch(url, { method: 'POST', headers, body: form })
    const { data } = (await answer.json()) as { data?: ShiftUploadResult }
    if (data?.counts.new !== ROWS) throw new Error(`The upload was not as expected: ${answer.status}`)
    return data
  }
  return timed(async () => {
    const { digest } = await send({ save: false })
    await send({ save: true, digest })
  })
}

/** How long the bare INSERT of 10,000 shifts takes, in each round; the first one compiles. */
export async function bareUploads(world: BenchWorld): Promise<number[]> {
  const crews = await world.sql<Crew & Record<string, unknown>>(`${CREWS} order by t.n`)
  const took: number[] = []
  for (let round = 0; round <= ROUNDS; round++)
    took.push(await saveBare(world, evenings(crews, 2 * ROUNDS + 2 + round)))
  return took.slice(1)
}

// As many as fit into the values of one statement.
const ROWS_AT_ONCE = 1_000

/** Into the same table with the same indexes, constraints and references, but without history, totals and messages. */
async function saveBare(world: BenchWorld, shifts: Evening[]): Promise<number> {
  const rows = shifts.map(({ truck, driver, program, market, date, start, end, zone }) => {
    const { startsAt = 0, endsAt = 0 } = shiftRange({ date, start, end, zone })
    return [truck, driver, program, market, date, start, end, zone, new Date(startsAt), new Date(endsAt), '']
  })
  await world.sql('alter table shift disable trigger user')
  const took = await timed(() =>
    world.transaction(async (query) => {
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const some = rows.slice(from, from + ROWS_AT_ONCE)
        const places = some.map((row, index) => `(${row.map((_, at) => `$${index * row.length + at + 1}`).join(', ')})`)
        await query(`insert into shift (${FIELDS}) values ${places.join(', ')}`, some.flat())
      }
    }),
  )
  await world.sql('alter table shift enable trigger user')
  return took
}

/** What the board shows, in one statement by hand. */
const BARE_BOARD = `
  select s.uid, s.version, s.truck_uid, s.driver_uid, s.program_uid, s.market_uid, s.local_date, s.start_time, s.end_time,
         s.starts_at, s.ends_at, s.status, t.number, d.name as driver, p.name as program, m.name as market
    from shift s
    join truck t on t.uid = s.truck_uid
    join user_account d on d.uid = s.driver_uid
    join client_program p on p.uid = s.program_uid
    join market m on m.uid = s.market_uid
   where s.local_date between $1 and $2 and s.deleted_at is null
   order by s.starts_at, s.uid`

async function* board(world: BenchWorld, crews: Crew[]): AsyncGenerator<BenchFigure> {
  const [from, to] = [addDays(FIRST_DAY, 100), addDays(FIRST_DAY, 100 + BOARD_DAYS - 1)]
  const program = crews[0]?.program ?? ''
  const { url, headers } = apiTarget(world, `${contract.shifts.board.path}?from=${from}&to=${to}&program=${program}`)
  const ours = async () => {
    const answer = await fetch(url, { headers })
    const { data } = contract.shifts.board.reply.parse(await answer.json())
    return data
  }
  const { shifts, trucks } = await ours()
  const found = shifts.filter(({ isMatch }) => isMatch).length
  if (shifts.length !== 10_000 || found !== 5_000 || trucks.length !== PLANNED_TRUCKS) {
    throw new Error(`The board shows ${shifts.length} shifts of ${trucks.length} trucks`)
  }
  const took: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = 0; round < BOARD_ROUNDS; round++) {
    took.ours.push(await timed(async () => (await fetch(url, { headers })).arrayBuffer()))
    took.bare.push(await timed(() => world.sql(BARE_BOARD, [from, to])))
  }
  const ratio = ratioOf(took.ours, took.bare)
  yield {
    name: 'Board of 1,000 trucks and 14 days with 10,000 shifts, half of them dimmed, beside its bare query',
    ours: milliseconds(median(took.ours)),
    beside: milliseconds(median(took.bare)),
    ratio: times(ratio),
    bar: `≤ ${times(MOST_BOARD_TIMES)}`,
    met: ratio <= MOST_BOARD_TIMES,
  }
}
