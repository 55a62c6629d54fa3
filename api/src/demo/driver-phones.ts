import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DriverAct } from '@roadshow/contract'
import { sql } from 'kysely'
import { noteContact, receiveActs, writeToDriver } from '../live/driver-app/index.ts'
import { activeInspectionItems, certifyRepair } from '../live/inspections/index.ts'
import { driverSigns } from '../planning/shifts/index.ts'
import { sharedNow } from '../platform/db/clock.ts'
import type { Db } from '../platform/db/connection.ts'
import type { Service } from '../platform/module.ts'
import { CONVERSATIONS, DECLINE_REASONS, DEFECTS, TRUCK_REQUEST } from './driver-words.ts'
import { onOneNode } from './on-one-node.ts'
import { msOf } from './past-shifts.ts'
import { DEMO_DOMAIN, peopleWithLogin } from './people.ts'
import { scopeOf } from './pop-photos.ts'

const HOUR = 3_600_000
const TICK_MS = 120_000
/** Drivers answer this long before a shift. */
const ANSWERS_MS = 40 * HOUR
const INSPECTED_MS = 72 * HOUR
const REPAIRED_AFTER_MS = 20 * HOUR
/** Before the inspection, the driver walks to the truck. */
const WALK_MS = 4 * 60_000

/** What a driver of a day does; all others confirm and inspect their truck without a defect. */
const parts = ['declines', 'stays silent', 'asks for a truck', 'writes', 'finds a defect', 'loses signal'] as const
type Part = (typeof parts)[number] | 'confirms'

interface DemoShift {
  uid: string
  driverUid: string
  driver: string
  truckUid: string
  date: string
  status: string
  startsAt: number
  startedAt: number | null
  /** The day as a number, by the day on which the demo was loaded, the place of the shift among those of its day, and how many there are. */
  day: number
  place: number
  count: number
  isAnswered: boolean
  /** A truck that is free on that day. */
  freeTruck: string | null
  inspectionUid: string | null
  openDefect: string | null
  isPhoneQuiet: boolean
}

/** The parts go around from day to day, so that the demo is the same on whichever day it begins. */
const partOf = ({ place, count, day }: Pick<DemoShift, 'place' | 'count' | 'day'>): Part =>
  parts[(place + day) % count] ?? 'confirms'

const pickOf = <T>(from: readonly T[], { day }: DemoShift): T => from[day % from.length] as T

/** The same id each time: what was done before is not done again. */
function actIdOf(...named: string[]): string {
  const hex = createHash('sha256').update(named.join(' ')).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** The shifts of these days. The driver whom newcomers sign in as answers for themselves. */
async function loadShifts(db: Db): Promise<DemoShift[]> {
  const own = peopleWithLogin.map(({ email }) => email)
  const firstDay = sql`(select (created_at at time zone 'UTC')::date - 365 from user_account where email = ${own[0]})`
  const { rows } = await sql<DemoShift>`
    select t.uid, t.driver_uid as "driverUid", u.name as driver, t.truck_uid as "truckUid", t.local_date as date, t.status,
           ${msOf('t.starts_at')} as "startsAt", ${msOf('t.started_at')} as "startedAt", t.local_date - ${firstDay} as day,
           (row_number() over (partition by t.local_date order by u.email, t.starts_at) - 1)::int as place,
           (count(*) over (partition by t.local_date))::int as count, ${driverSigns.driverAnswer} is not null as "isAnswered",
           (select x.number from truck x where x.state = 'active' and x.deleted_at is null and not exists (
              select from shift s where s.truck_uid = x.uid and s.local_date = t.local_date and s.deleted_at is null)
             order by (x.home_market_uid = t.market_uid) desc nulls last, length(x.number), x.number limit 1) as "freeTruck",
           i.uid as "inspectionUid",
           (select r.item_uid from inspection_result r
             where r.inspection_uid = i.uid and r.result = 'defect' and r.repair is null limit 1) as "openDefect",
           not exists (select from driver_phone f where f.user_uid = t.driver_uid
                          and f.seen_at > now() - interval '15 minutes') as "isPhoneQuiet"
      from shift t join user_account u on u.uid = t.driver_uid
      left join lateral (select i.uid from inspection i
                          where i.shift_uid = t.uid and i.deleted_at is null order by i.at limit 1) i on true
     where t.deleted_at is null and t.status in ('planned', 'out', 'completed')
       and t.local_date between current_date - 4 and current_date + 3
       and u.email like ${`%@${DEMO_DOMAIN}`} and u.email <> all(${own})
     order by t.local_date, u.email, t.starts_at`.execute(db)
  return rows
}

type Item = Awaited<ReturnType<typeof activeInspectionItems>>[number]

/** The answer to a shift of the next days, with what the driver has to say about it. */
function actsBefore(shift: DemoShift, at: string): DriverAct[] {
  const { uid, date, truckUid, startsAt } = shift
  const part = partOf(shift)
  if (part === 'stays silent') return []
  const given = { shiftUid: uid, at, place: null }
  const plan = [uid, date, truckUid, String(startsAt)]
  if (part === 'declines') {
    const reason = pickOf(DECLINE_REASONS, shift)
    return [{ ...given, kind: 'answer', actId: actIdOf('declines', ...plan), answer: 'declined', reason }]
  }
  const confirmed = { ...given, kind: 'answer', actId: actIdOf('confirms', ...plan), answer: 'confirmed' } as const
  if (part === 'asks for a truck' && shift.freeTruck !== null) {
    const request = { truckNumber: shift.freeTruck, text: TRUCK_REQUEST }
    return [confirmed, { ...given, kind: 'otherTruck', actId: actIdOf('asks', uid), ...request }]
  }
  if (part !== 'writes') return [confirmed]
  const { said } = pickOf(CONVERSATIONS, shift)
  return [confirmed, { ...given, kind: 'message', actId: actIdOf('writes', uid), text: said }]
}

/** The inspection before a shift that has begun. */
function inspectionOf(shift: DemoShift, items: readonly Item[]): DriverAct[] {
  const { uid, driver, startedAt } = shift
  const { item: broken, note } = pickOf(DEFECTS, shift)
  const isBroken = ({ name }: Item) => partOf(shift) === 'finds a defect' && name === broken
  if (startedAt === null || items.length === 0) return []
  return [
    {
      kind: 'inspection',
      shiftUid: uid,
      actId: actIdOf('inspects', uid),
      at: new Date(startedAt - WALK_MS).toISOString(),
      place: null,
      signedBy: driver,
      items: items.map((item) =>
        isBroken(item)
          ? { itemUid: item.uid, result: 'defect', note, photoFileUid: null }
          : { itemUid: item.uid, result: 'ok', note: '', photoFileUid: null },
      ),
    },
  ]
}

/** What a driver does now about a shift; nothing is done twice. */
function actsOf(shift: DemoShift, items: readonly Item[], now: number): DriverAct[] {
  const { status, startsAt, startedAt, isAnswered, inspectionUid } = shift
  const isToAnswer = status === 'planned' && startsAt > now && startsAt < now + ANSWERS_MS && !isAnswered
  if (isToAnswer) return actsBefore(shift, new Date(now).toISOString())
  const isToInspect = startedAt !== null && startedAt > now - INSPECTED_MS && inspectionUid === null
  return isToInspect ? inspectionOf(shift, items) : []
}

async function sendActs(db: Db, shift: DemoShift, acts: DriverAct[], now: number): Promise<void> {
  const scope = await scopeOf(db, 'own', { uid: shift.driverUid })
  const { results } = await receiveActs(db, scope, { sentAt: new Date(now).toISOString(), acts })
  const isNew = results.some(({ result }, index) => result === 'accepted' && acts[index]?.kind === 'message')
  const [, sales] = peopleWithLogin
  if (!isNew || !sales) return
  const office = await scopeOf(db, 'all', { email: sales.email })
  await writeToDriver(db, office, shift.uid, pickOf(CONVERSATIONS, shift).replied)
}

/** The shop repairs what was reported the day before. */
async function repair(db: Db, shift: DemoShift, now: number): Promise<void> {
  const { inspectionUid: uid, openDefect: itemUid, startedAt } = shift
  if (!uid || !itemUid || startedAt === null || startedAt > now - REPAIRED_AFTER_MS) return
  const scope = await scopeOf(db, 'all', { email: peopleWithLogin[0]?.email ?? '' })
  await certifyRepair(db, scope, { uid, itemUid, outcome: 'repaired', note: pickOf(DEFECTS, shift).repair })
}

/** Whether the phone of a driver is in touch around the shift; one of a day loses its signal on the way. */
const isInTouch = (shift: DemoShift, now: number) =>
  shift.isPhoneQuiet &&
  Math.abs(shift.startsAt - now) < 14 * HOUR &&
  !(shift.status === 'out' && partOf(shift) === 'loses signal')

/** Lets the drivers of the demo use their phones: answers, messages, inspections. What was done before is left as it is. */
export async function letDriversAct(db: Db, now: number, signal?: AbortSignal): Promise<void> {
  const items = await activeInspectionItems(db)
  for (const shift of await loadShifts(db)) {
    if (signal?.aborted) return
    const acts = actsOf(shift, items, now)
    if (acts.length > 0) await sendActs(db, shift, acts, now)
    else if (isInTouch(shift, now)) await noteContact(db, shift.driverUid)
    await repair(db, shift, now)
  }
}

/** Keeps the drivers of the demo on their phones, in the background. */
export function startDriverPhones(db: Db, log: (error: unknown) => void): Service {
  const stopping = new AbortController()
  const { signal } = stopping
  const act = async () => {
    while (!signal.aborted) {
      await onOneNode(db, 'demo drivers', async () => letDriversAct(db, await sharedNow(db), signal)).catch(log)
      await sleep(TICK_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const acting = act()
  return {
    async stop() {
      stopping.abort()
      await acting
    },
  }
}
