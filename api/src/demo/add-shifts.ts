import { addDays, daysBetween } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { saveShifts } from '../planning/shifts/index.ts'
import { groupBy } from '../platform/runtime/group-by.ts'
import { driverUids } from './add-fleet.ts'
import { FIRST_CLIENT } from './people.ts'
import { PAST_DAYS } from './programs.ts'
import { seededIntegers } from './seeded-integers.ts'
import { stopsChooser } from './stops.ts'

export interface Crew {
  truckUid: string
  driverUid: string
  marketUid: string
  market: string
  isLed: boolean
  /** A truck in the shop had shifts until it went there. */
  isInShop: boolean
}

/** A program in one of its markets. */
export interface RunningProgram {
  programUid: string
  marketUid: string
  from: string
  to: string
  artworkSetUid: string | null
}

interface Running extends RunningProgram {
  addressSetUid: string | null
  /** Whether it belongs to the client whom newcomers sign in as. */
  isOfFirst: boolean
}

// Each crew keeps its hours for a week, so that shifts of a driver never overlap. The fifth is a night shift.
export const HOURS = [
  { start: '08:00', end: '16:00', payOption: 'eightHours' },
  { start: '10:00', end: '18:00', payOption: 'eightHours' },
  { start: '11:00', end: '23:00', payOption: 'twelveHours' },
  { start: '15:00', end: '20:00', payOption: 'halfDay' },
  { start: '20:00', end: '04:00', payOption: 'eightHours' },
  { start: '07:00', end: '12:00', payOption: 'halfDay' },
] as const
const NOTES = [
  'Stadium loop before the game.',
  'Stay on the riverside until noon.',
  'Client rides along.',
  'Park at the mall entrance at 5:00 PM.',
]
const AHEAD_DAYS = 21
// A crew works for one program for some days in a row.
const BLOCK_DAYS = 3
const IN_SHOP_DAYS = 12
const PAUSED_DAYS = 5
// Around today the crews of a market drive for the first client, so that it has trucks on the road at most hours.
const FIRST_CLIENT_DAYS = 2

/**
 * Adds eight weeks of past shifts and three weeks of planned ones: every driver with a truck, in the programs that run in
 * the truck's market. All goes by the days from the first one on, so that the demo is the same on whichever day it begins.
 */
export async function addShifts(db: Db, scope: Scope, today: string): Promise<void> {
  const pick = seededIntegers(97)
  const isNow = (date: string) => Math.abs(daysBetween(today, date)) <= FIRST_CLIENT_DAYS
  const choose = programChooser(await programsByMarket(db, addDays(today, -PAUSED_DAYS)), isNow)
  const crews = await crewsOf(db)
  const stopsOf = await stopsChooser()
  const days = Array.from({ length: PAST_DAYS + AHEAD_DAYS + 1 }, (_, day) => day)
  const lastShopDay = addDays(today, -IN_SHOP_DAYS)
  const shifts = days.flatMap((day) =>
    crews.flatMap((crew, index) => {
      const date = addDays(today, day - PAST_DAYS)
      const hours = HOURS[(Math.floor(day / 7) + index) % HOURS.length]
      const isRestDay = (day + index) % 7 < 2 || pick(12) === 0
      if (isRestDay || !hours || (crew.isInShop && date > lastShopDay)) return []
      const program = choose(crew, index, Math.floor((day + index) / BLOCK_DAYS), date)
      if (!program) return []
      const note = pick(15) === 0 ? (NOTES[pick(NOTES.length)] ?? '') : ''
      // Most shifts leave it to payroll what they are paid as.
      const payOption = index % 3 === 0 ? hours.payOption : null
      const stops = stopsOf(index, { market: crew.market, start: hours.start })
      return [{ ...crew, ...program, date, ...hours, payOption, note, stops }]
    }),
  )
  await saveShifts(db, scope, shifts)
  await letTimePass(db)
}

/** Shares the days of crews between the programs of their market, so that each program gets its part of them. */
function programChooser(running: ReadonlyMap<string, Running[]>, isNow: (date: string) => boolean) {
  const shiftsOf = new Map<Running, number>()
  const current = new Map<number, { block: number; program: Running }>()
  const countOf = (program: Running) => shiftsOf.get(program) ?? 0
  return (crew: Crew, index: number, block: number, date: string): Running | undefined => {
    const open = (running.get(crew.marketUid) ?? []).filter(({ from, to }) => date >= from && date <= to)
    const before = current.get(index)
    const stays = before?.block === block && open.includes(before.program) ? before.program : undefined
    const first = isNow(date) ? open.find(({ isOfFirst }) => isOfFirst) : undefined
    // Printed trucks have no play log: they join programs that LED trucks drive for too.
    const isBetter = (one: Running, best: Running) =>
      crew.isLed ? countOf(one) < countOf(best) : countOf(one) > countOf(best)
    const program =
      first ??
      stays ??
      open.reduce<Running | undefined>((best, one) => (best && !isBetter(one, best) ? best : one), undefined)
    if (!program) return undefined
    if (crew.isLed) shiftsOf.set(program, countOf(program) + 1)
    current.set(index, { block, program })
    return program
  }
}

/** Trucks with a home that are active or in the shop, each with a driver of its own. */
export async function crewsOf(db: Db): Promise<Crew[]> {
  const trucks = await db
    .selectFrom('truck')
    .innerJoin('market', 'market.uid', 'truck.home_market_uid')
    .select(['truck.uid', 'home_market_uid as marketUid', 'market.name as market', 'kind', 'truck.state'])
    .where('truck.state', 'in', ['active', 'inShop'])
    .orderBy(sql`length(number)`)
    .orderBy('number')
    .execute()
  return (await driverUids(db)).flatMap((driverUid, index) => {
    const truck = trucks[index]
    if (!truck?.marketUid) return []
    const { uid: truckUid, marketUid, market, kind, state } = truck
    return { truckUid, driverUid, marketUid, market, isLed: kind === 'led', isInShop: state === 'inShop' }
  })
}

async function programsByMarket(db: Db, lastPausedDay: string): Promise<Map<string, Running[]>> {
  const { rows } = await sql<Running>`
    select p.uid as "programUid", m.market_uid as "marketUid", coalesce(m.starts_on, p.starts_on) as "from",
           least(coalesce(m.ends_on, p.ends_on), case when p.status = 'paused' then ${lastPausedDay}::date end) as "to",
           (select uid from artwork_set a where a.program_uid = p.uid order by name limit 1) as "artworkSetUid",
           (select uid from address_set s where s.program_uid = p.uid order by name limit 1) as "addressSetUid",
           c.name = ${FIRST_CLIENT} as "isOfFirst"
      from client_program p join client c on c.uid = p.client_uid join program_market m on m.program_uid = p.uid
     where p.status <> 'draft' order by p.pop_url`.execute(db)
  return groupBy(rows, ({ marketUid }) => marketUid)
}

/**
 * What lies behind has happened: most of it as planned, a few shifts not at all; what is under way is out. In the last two
 * weeks some drivers forgot to start or to stop, which payroll asks about.
 */
async function letTimePass(db: Db): Promise<void> {
  await sql`
    update shift set
      status = case when luck = 0 then 'cancelled' when luck = 1 then 'noShow' when ends_at < now() then 'completed' else 'out' end,
      reason = case luck when 0 then 'Snow, the client called it off.' when 1 then 'Driver ill.' else '' end,
      started_at = case when luck > 1 and not (luck = 2 and is_recent) then starts_at + luck % 9 * interval '1 minute' end,
      stopped_at = case when luck > 1 and ends_at < now() and not (luck in (2, 3) and is_recent)
                        then ends_at + luck % 7 * interval '2 minutes' end
     from (select s.uid as of, (row_number() over (order by s.local_date, s.start_time, t.number)) * 37 % 41 as luck,
                  s.starts_at > now() - interval '14 days' and s.ends_at < now() as is_recent
             from shift s join truck t on t.uid = s.truck_uid) l
    where l.of = uid and starts_at + interval '10 minutes' < now()`.execute(db)
}
