import { seeded, shuffle } from '@roadshow/test-kit/random'
import type { World } from '@roadshow/test-kit/world'
import { sql } from 'kysely'

/** A shift as its row says, with times in minutes. Null times are unknown. */
export interface HeldShift {
  uid: string
  status: 'planned' | 'out' | 'completed' | 'cancelled' | 'noShow'
  isDeleted: boolean
  startsAt: number
  endsAt: number
  startedAt: number | null
  stoppedAt: number | null
}

const RUNNING_OVER = 12 * 60

/** How strongly a shift claims the truck at a moment: not at all, by its plan, or because it was started by then. */
function strengthAt(shift: HeldShift, at: number): 0 | 1 | 2 {
  const { status, isDeleted, startsAt, endsAt, startedAt, stoppedAt } = shift
  if (isDeleted || status === 'cancelled' || status === 'noShow') return 0
  if (status === 'planned') return at >= startsAt && at < endsAt ? 1 : 0
  const began = startedAt ?? startsAt
  const until = stoppedAt ?? (status === 'out' ? endsAt + RUNNING_OVER : endsAt)
  if (at >= began) return at < until ? 2 : 0
  return at >= startsAt ? 1 : 0
}

/** The shift that holds the truck at a moment, by trying all of them. */
export function holderAt(shifts: readonly HeldShift[], at: number): string | null {
  const began = ({ startedAt, startsAt }: HeldShift) => startedAt ?? startsAt
  const claims = shifts
    .map((shift) => ({ shift, strength: strengthAt(shift, at) }))
    .filter(({ strength }) => strength > 0)
    .toSorted(
      (one, other) =>
        other.strength - one.strength ||
        began(other.shift) - began(one.shift) ||
        (one.shift.uid < other.shift.uid ? 1 : -1),
    )
  return claims[0]?.shift.uid ?? null
}

const DAY = Date.parse('2026-07-01T00:00:00Z')
const instant = (minutes: number) => new Date(DAY + minutes * 60_000).toISOString()
const maybe = (minutes: number | null) => (minutes === null ? null : instant(minutes))
const minutesOf = (at: string | null) => (at === null ? null : (Date.parse(at) - DAY) / 60_000)

interface PlannedShift extends HeldShift {
  truckUid: string
}

type Random = (below: number) => number

/** Changes a shift as the road and the office do, from any state to any other. */
function happen(shift: PlannedShift, random: Random, other: string): void {
  const { startsAt, endsAt } = shift
  const changes: (() => Partial<PlannedShift>)[] = [
    () => ({ status: 'out', startedAt: startsAt - 110 + random(300), stoppedAt: null }),
    () => {
      const startedAt = startsAt - 110 + random(200)
      return { status: 'completed', startedAt, stoppedAt: startedAt + random(endsAt - startsAt + 400) }
    },
    () => ({ status: 'completed', startedAt: null, stoppedAt: null }),
    () => ({ status: 'planned', startedAt: null, stoppedAt: null }),
    () => ({ status: random(2) ? 'cancelled' : 'noShow', startedAt: null, stoppedAt: null }),
    () => ({ isDeleted: !shift.isDeleted }),
    () => ({ truckUid: other }),
  ]
  Object.assign(shift, changes[random(changes.length)]?.())
}

/** The minutes at which a shift may begin or end to hold its truck, and those beside them. */
export const momentsOf = (shifts: readonly HeldShift[]): number[] => {
  const edges = shifts.flatMap(({ startsAt, endsAt, startedAt, stoppedAt }) => [
    startsAt,
    endsAt,
    endsAt + RUNNING_OVER,
    startedAt ?? startsAt,
    stoppedAt ?? endsAt,
  ])
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].toSorted((one, other) => one - other)
}

/** Two trucks whose shifts are changed at random. */
export async function openHoldScene({ db, addMarket, addProgram, addUser }: World) {
  const market = (await addMarket('Holding')).uid
  await db.updateTable('market').set({ zone: 'UTC' }).where('uid', '=', market).execute()
  const program = { startsOn: '2026-01-01', endsOn: '2026-12-31', markets: [{ marketUid: market }] }
  const programs = [await addProgram(program), await addProgram(program)]
  const drivers: string[] = []
  for (let count = 0; count < 4; count++) drivers.push((await addUser('driver')).uid)
  let trucks = 0

  async function addTruck(): Promise<string> {
    const truck = { number: `H-${++trucks}`, kind: 'led', state: 'active' }
    return (await db.insertInto('truck').values(truck).returning('uid').executeTakeFirstOrThrow()).uid
  }

  async function addShift(
    truckUid: string,
    index: number,
    [startsAt, endsAt]: [number, number],
  ): Promise<PlannedShift> {
    const [starts_at, ends_at] = [instant(startsAt), instant(endsAt)]
    const { uid } = await db
      .insertInto('shift')
      .values({
        truck_uid: truckUid,
        driver_uid: drivers[index] ?? '',
        program_uid: programs[index % 2]?.uid ?? '',
        market_uid: market,
        local_date: starts_at.slice(0, 10),
        start_time: starts_at.slice(11, 16),
        end_time: ends_at.slice(11, 16),
        zone: 'UTC',
        starts_at,
        ends_at,
      })
      .returning('uid')
      .executeTakeFirstOrThrow()
    return { uid, truckUid, status: 'planned', isDeleted: false, startsAt, endsAt, startedAt: null, stoppedAt: null }
  }

  const save = ({ uid, truckUid, status, isDeleted, startedAt, stoppedAt }: PlannedShift) =>
    db
      .updateTable('shift')
      .set({
        truck_uid: truckUid,
        status,
        reason: 'because',
        deleted_at: isDeleted ? instant(0) : null,
        started_at: maybe(startedAt),
        stopped_at: maybe(stoppedAt),
        start_corrected: true,
        times_reason: 'seen',
      })
      .where('uid', '=', uid)
      .execute()

  /** Shifts of a truck in turn, some of which follow each other at once. */
  async function planShifts(truckUid: string, random: Random): Promise<PlannedShift[]> {
    const shifts: PlannedShift[] = []
    let at = 600
    for (let index = 0; index < drivers.length; index++) {
      const startsAt = at + random(3) * 60
      at = startsAt + 120 + random(300)
      shifts.push(await addShift(truckUid, index, [startsAt, at]))
    }
    return shifts
  }

  async function readShifts(trucks: readonly string[]): Promise<PlannedShift[]> {
    const rows = await db.selectFrom('shift').selectAll().where('truck_uid', 'in', trucks).execute()
    return rows.map((row) => ({
      uid: row.uid,
      truckUid: row.truck_uid,
      status: row.status as HeldShift['status'],
      isDeleted: row.deleted_at !== null,
      startsAt: minutesOf(row.starts_at) ?? NaN,
      endsAt: minutesOf(row.ends_at) ?? NaN,
      startedAt: minutesOf(row.started_at),
      stoppedAt: minutesOf(row.stopped_at),
    }))
  }

  /** Changes shifts at random and returns both trucks with the shifts that they have in the end. */
  async function changeShifts(seed: number) {
    await db.deleteFrom('shift').execute()
    const random = seeded(seed)
    const [own, other] = [await addTruck(), await addTruck()]
    const shifts = await planShifts(own, random)
    for (const shift of [1, 2, 3].flatMap(() => shuffle(shifts, random))) {
      happen(shift, random, other)
      // Two plans of one truck never overlap: what would is refused, and the shift stays as it was.
      await save(shift).catch(async () =>
        Object.assign(
          shift,
          (await readShifts([own, other])).find(({ uid }) => uid === shift.uid),
        ),
      )
    }
    const known = await readShifts([own, other])
    return [own, other].map((truckUid) => ({ truckUid, shifts: known.filter((shift) => shift.truckUid === truckUid) }))
  }

  /** The shifts that hold a truck at some minutes, by a statement over the moments `m`. */
  const heldBy = async (truckUid: string, moments: readonly number[]): Promise<(string | null)[]> => {
    const { rows } = await sql<{ uid: string | null }>`
      select h.shift_uid as uid from unnest(${moments.map(instant)}::timestamptz[]) with ordinality m (at, n)
        left join truck_hold h on h.truck_uid = ${truckUid} and h.during @> m.at order by m.n`.execute(db)
    return rows.map(({ uid }) => uid)
  }

  return { changeShifts, heldBy, instant, programs }
}
