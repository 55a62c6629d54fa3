import { addDays } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { saveShifts } from '../planning/shifts/index.ts'
import { seededIntegers } from './seeded-integers.ts'

interface Crew {
  truckUid: string
  driverUid: string
  marketUid: string
}

interface Running {
  programUid: string
  marketUid: string
  from: string
  to: string
  artworkSetUid: string | null
  addressSetUid: string | null
}

// Each crew keeps its hours for a week, so that shifts of a driver never overlap.
const HOURS = [
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
  'Park at the mall entrance at 17:00.',
]
const WEEKS = 3

/**
 * Adds six weeks of shifts around a day: every driver with a truck, in the programs that run in the truck's market. All
 * goes by the days from the first one on, so that the demo is the same on whichever day it begins.
 */
export async function addShifts(db: Db, scope: Scope, today: string): Promise<void> {
  const pick = seededIntegers(97)
  const running = await programsByMarket(db)
  const crews = await crewsOf(db)
  const planned = crews.flatMap((crew, index) =>
    Array.from({ length: 2 * WEEKS * 7 + 1 }, (_, day) => ({
      crew,
      index,
      day,
      date: addDays(today, day - WEEKS * 7),
    })),
  )
  const shifts = planned.flatMap(({ crew, index, day, date }) => {
    const programs = (running.get(crew.marketUid) ?? []).filter(({ from, to }) => date >= from && date <= to)
    const week = Math.floor(day / 7)
    const restDay = (day + index) % 7 < 2
    const program = programs[(week + index) % Math.max(programs.length, 1)]
    const hours = HOURS[(week + index) % HOURS.length]
    if (!program || !hours || restDay || pick(12) === 0) return []
    const { programUid, marketUid, artworkSetUid, addressSetUid } = program
    const note = pick(15) === 0 ? (NOTES[pick(NOTES.length)] ?? '') : ''
    const { truckUid, driverUid } = crew
    // Most shifts leave it to payroll what they are paid as.
    const payOption = index % 3 === 0 ? hours.payOption : null
    return { truckUid, driverUid, programUid, marketUid, artworkSetUid, addressSetUid, date, ...hours, payOption, note }
  })
  await saveShifts(db, scope, shifts)
  await letTimePass(db)
}

/** Active trucks with a home, each with a driver of its own. */
async function crewsOf(db: Db): Promise<Crew[]> {
  const trucks = await db
    .selectFrom('truck')
    .select(['uid', 'home_market_uid as marketUid'])
    .where('state', '=', 'active')
    .where('home_market_uid', 'is not', null)
    .orderBy('number')
    .execute()
  const drivers = await db
    .selectFrom('user_account')
    .select('uid')
    .where('role', '=', 'driver')
    .orderBy('email')
    .execute()
  return drivers.flatMap(({ uid }, index) => {
    const truck = trucks[index]
    return truck?.marketUid ? { truckUid: truck.uid, driverUid: uid, marketUid: truck.marketUid } : []
  })
}

async function programsByMarket(db: Db): Promise<Map<string, Running[]>> {
  const { rows } = await sql<Running>`
    select p.uid as "programUid", m.market_uid as "marketUid", coalesce(m.starts_on, p.starts_on) as "from",
           coalesce(m.ends_on, p.ends_on) as "to",
           (select uid from artwork_set a where a.program_uid = p.uid order by name limit 1) as "artworkSetUid",
           (select uid from address_set s where s.program_uid = p.uid order by name limit 1) as "addressSetUid"
      from client_program p join program_market m on m.program_uid = p.uid
     where p.status <> 'draft' order by p.pop_url`.execute(db)
  const byMarket = new Map<string, Running[]>()
  for (const row of rows) byMarket.set(row.marketUid, [...(byMarket.get(row.marketUid) ?? []), row])
  return byMarket
}

/** What lies behind has happened: most of it as planned, a few shifts not at all; what is under way is out. */
async function letTimePass(db: Db): Promise<void> {
  await sql`
    update shift set
      status = case when luck = 0 then 'cancelled' when luck = 1 then 'noShow' when ends_at < now() then 'completed' else 'out' end,
      reason = case luck when 0 then 'Snow, the client called it off.' when 1 then 'Driver ill.' else '' end,
      started_at = case when luck > 1 then starts_at + luck % 9 * interval '1 minute' end,
      stopped_at = case when luck > 1 and ends_at < now() then ends_at + luck % 7 * interval '2 minutes' end
     from (select s.uid as of, (row_number() over (order by s.local_date, s.start_time, t.number)) * 37 % 41 as luck
             from shift s join truck t on t.uid = s.truck_uid) l
    where l.of = uid and starts_at + interval '10 minutes' < now()`.execute(db)
}
