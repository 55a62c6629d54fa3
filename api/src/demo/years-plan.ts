import { addDays, daysBetween, proposePopUrl } from '@roadshow/contract'
import { type Crew, HOURS, type RunningProgram } from './add-shifts.ts'
import { demoClients } from './clients.ts'
import { demoMarkets } from './markets.ts'
import type { DemoProgram } from './programs.ts'
import { seededIntegers } from './seeded-integers.ts'

/** The years before the recorded weeks are added in blocks, so that a start that was stopped goes on. With the weeks: two years. */
export const BLOCK_DAYS = 28
const BLOCKS = 24
const MARKETS_OF_PROGRAM = 4
/** Programs that the fleet already had on the first day; afterwards one begins each week. */
const FIRST_PROGRAMS = 4
const DAYS_OF_PROGRAM = 49

/** A day without shifts before the recorded days: no plays of a former shift in the west fall into their first hours. */
const lastFormerDay = (recordedFrom: string) => addDays(recordedFrom, -2)

/** The first day of each block, before the first day whose single plays are recorded. */
export const blocksBefore = (recordedFrom: string): string[] =>
  Array.from({ length: BLOCKS }, (_, block) => addDays(recordedFrom, (block - BLOCKS) * BLOCK_DAYS))

const SEASONS = ['Winter', 'Spring', 'Summer', 'Fall'] as const

/** December belongs to the winter of the next year. */
function seasonOf(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number)
  return `${SEASONS[Math.floor((month % 12) / 3)] ?? ''} ${month === 12 ? year + 1 : year}`
}

/** Programs that ended before the recorded weeks: each client drives every fifteen weeks, in another part of the country. */
export function formerPrograms(recordedFrom: string): DemoProgram[] {
  const first = blocksBefore(recordedFrom)[0] ?? recordedFrom
  const last = lastFormerDay(recordedFrom)
  const weeks = daysBetween(first, recordedFrom) / 7
  return Array.from({ length: FIRST_PROGRAMS + weeks - 3 }, (_, index) => {
    const client = demoClients[index % demoClients.length]
    if (!client) throw new Error('The demo has no clients.')
    const startsOn = addDays(first, Math.max(0, index - FIRST_PROGRAMS) * 7)
    const planned = addDays(startsOn, DAYS_OF_PROGRAM - 1)
    const name = `${seasonOf(startsOn)} Tour`
    return {
      client,
      name,
      status: 'completed',
      popUrl: proposePopUrl(`${client.name} ${name}`),
      startsOn,
      endsOn: planned < last ? planned : last,
      markets: Array.from({ length: MARKETS_OF_PROGRAM }, (_each, place) => ({
        name: demoMarkets[(index * MARKETS_OF_PROGRAM + place) % demoMarkets.length]?.name ?? '',
        startsOn: null,
      })),
    }
  })
}

/** How busy each month is, from January on: quiet after the holidays, most in early summer and in fall. */
const BUSY = [0.62, 0.66, 0.78, 0.88, 0.95, 1, 0.94, 0.88, 0.94, 1, 0.97, 0.82]
/** The share of the present crews that there were on the first day and on the last; the fleet grew steadily. */
const [FIRST_SHARE, LAST_SHARE] = [0.3, 0.8]

// Without the night shift.
const DAY_HOURS = HOURS.filter(({ start, end }) => start < end)

/** The shifts of a block. They depend on the days only, so that a block is the same whenever it is added. */
export function shiftsOfBlock(
  startsOn: string,
  recordedFrom: string,
  { crews, programs }: { crews: readonly Crew[]; programs: readonly RunningProgram[] },
) {
  const allDays = BLOCKS * BLOCK_DAYS
  const before = allDays - daysBetween(startsOn, recordedFrom)
  const pick = seededIntegers(1000 + before)
  return Array.from({ length: BLOCK_DAYS }, (_, index) => before + index).flatMap((day) => {
    const date = addDays(startsOn, day - before)
    const busy = BUSY[Number(date.slice(5, 7)) - 1] ?? 1
    const grown = Math.ceil(crews.length * (FIRST_SHARE + ((LAST_SHARE - FIRST_SHARE) * day) / allDays))
    return crews.slice(0, grown).flatMap((crew, index) => {
      const isOff = (day + index) % 7 < 2 || pick(100) >= busy * 100
      const running = programs.filter(
        ({ marketUid, from, to }) => marketUid === crew.marketUid && date >= from && date <= to,
      )
      const program = running[(Math.floor(day / 7) + index) % Math.max(1, running.length)]
      const hours = DAY_HOURS[(Math.floor(day / 7) + index) % DAY_HOURS.length]
      if (isOff || !program || !hours) return []
      return [{ ...crew, ...program, addressSetUid: null, date, ...hours, payOption: null, note: '', stops: [] }]
    })
  })
}
