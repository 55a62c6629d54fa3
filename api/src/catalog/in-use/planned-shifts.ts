import { type ErrorCode, formatDay, formatFullDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError, joinNames } from '../../platform/runtime/app-error.ts'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'

/** The columns of a shift that refer to other records. */
type Reference = 'truck_uid' | 'driver_uid' | 'program_uid' | 'market_uid' | 'artwork_set_uid' | 'address_set_uid'

/** The filters of the schedule's list that find the shifts of a record. */
const filterOf: Partial<Record<Reference, string>> = {
  truck_uid: 'truck',
  driver_uid: 'driver',
  program_uid: 'program',
  market_uid: 'market',
}

interface ShiftInTheWay {
  uid: string
  version: number
  status: string
  date: string
}

interface Refusal {
  /** In the order of their days. */
  shifts: readonly ShiftInTheWay[]
  /** The sentence, from words such as `3 shifts from Nov 20, 2026 to Nov 24, 2026`. */
  say: (words: string) => string
  /** Finds them in the schedule's list, where it takes more than their days. */
  filter?: string
}

// A change on the board takes no more, and an address no more than some of them.
const MOST_LISTED = 500
const MOST_IN_ADDRESS = 40

/** `3 shifts from Nov 20, 2026 to Nov 24, 2026` */
function wordsOf(shifts: readonly ShiftInTheWay[]): string {
  const [first, last] = [shifts[0]?.date ?? '', shifts.at(-1)?.date ?? '']
  const count = shifts.length === 1 ? '1 shift' : `${shifts.length} shifts`
  return first === last ? `${count} on ${formatDay(first)}` : `${count} from ${formatDay(first)} to ${formatDay(last)}`
}

/** Refuses something because of shifts, which the caller can look at, move or cancel. */
export function refuseForShifts(code: ErrorCode, { shifts, say, filter }: Refusal): never {
  const words = wordsOf(shifts)
  const [first, last] = [shifts[0]?.date ?? '', shifts.at(-1)?.date ?? '']
  const found =
    shifts.length <= MOST_IN_ADDRESS || filter === undefined
      ? shifts
          .slice(0, MOST_IN_ADDRESS)
          .map(({ uid }) => `uid=${uid}`)
          .join('&')
      : `${filter}&from=${first}&to=${last}&status=planned&status=out`
  throw new AppError(code, {
    text: say(words),
    inTheWay: [
      {
        kind: 'shifts',
        name: words,
        screen: `/schedule/program-schedule?view=list&${found}`,
        act: {
          kind: 'moveOrCancel',
          shifts: shifts
            .slice(0, MOST_LISTED)
            .map(({ uid, version, status }) => ({ uid, version, isPlanned: status === 'planned' })),
        },
      },
    ],
  })
}

const openShifts = (db: Db) =>
  db
    .selectFrom('shift as s')
    .innerJoin('truck as t', 't.uid', 's.truck_uid')
    .select(['s.uid', 's.version', 's.status', 't.number', 's.local_date as date'])
    .where('s.deleted_at', 'is', null)
    .where('s.ends_at', '>', sql<string>`now()`)
    .orderBy('s.local_date')
    .orderBy('s.starts_at')

interface Needed {
  /** The record in words: `truck`. */
  what: string
  /** Shifts that are out need it too, unless only planned ones count. */
  isForPlansOnly?: boolean
}

/** Refuses to delete a record that open shifts need, and names the shifts. */
export async function refuseIfPlanned(
  db: Db,
  reference: Reference,
  uid: string,
  { what, isForPlansOnly = false }: Needed,
): Promise<void> {
  const shifts = await openShifts(db)
    .where(`s.${reference}`, '=', uid)
    .where('s.status', 'in', isForPlansOnly ? ['planned'] : ['planned', 'out'])
    .execute()
  if (shifts.length === 0) return
  const names = joinNames(shifts.map(({ number, date }) => `${number} on ${formatFullDay(date)}`))
  const filter = filterOf[reference]
  refuseForShifts('stillNeeded', {
    shifts,
    say: () => `Shifts that are not over still need this ${what}: ${names}. Move or cancel them first.`,
    ...(filter && { filter: `${filter}=${uid}` }),
  })
}

/** Which of several records planned shifts need, with these shifts in words. */
export async function describePlanned(
  db: Db,
  reference: 'truck_uid' | 'driver_uid',
  uids: readonly string[],
): Promise<Map<string, string>> {
  if (uids.length === 0) return new Map()
  const shifts = await openShifts(db)
    .select(sql<string>`${sql.ref(`s.${reference}`)}`.as('of'))
    .where(sql<boolean>`${sql.ref(`s.${reference}`)} = any(${[...uids]}::uuid[])`)
    .where('s.status', '=', 'planned')
    .execute()
  return new Map([...groupBy(shifts, (shift) => shift.of)].map(([uid, some]) => [uid, wordsOf(some)]))
}

/** Refuses dates or markets of programs that leave out planned shifts, and names the shifts. */
export async function refuseIfPlannedElsewhere(db: Db, programUids: readonly string[]): Promise<void> {
  const shifts = await openShifts(db)
    .innerJoin('market as m', 'm.uid', 's.market_uid')
    .innerJoin('client_program as p', 'p.uid', 's.program_uid')
    .leftJoin('program_market as pm', (join) =>
      join.onRef('pm.program_uid', '=', 's.program_uid').onRef('pm.market_uid', '=', 's.market_uid'),
    )
    .select('m.name as market')
    .where('s.program_uid', '=', anyOf(programUids))
    .where('s.status', 'in', ['planned', 'out'])
    .where((eb) =>
      eb.or([
        eb('pm.market_uid', 'is', null),
        eb('s.local_date', '<', eb.fn.coalesce('pm.starts_on', 'p.starts_on')),
        eb('s.local_date', '>', eb.fn.coalesce('pm.ends_on', 'p.ends_on')),
      ]),
    )
    .execute()
  if (shifts.length === 0) return
  const names = joinNames(
    shifts
      .slice(0, MOST_IN_ADDRESS)
      .map(({ number, market, date }) => `${number} in ${market} on ${formatFullDay(date)}`),
  )
  refuseForShifts('stillNeeded', {
    shifts,
    say: () => `Shifts are planned outside of these dates or markets: ${names}. Move or cancel them first.`,
    ...(programUids.length === 1 && { filter: `program=${programUids[0]}` }),
  })
}
