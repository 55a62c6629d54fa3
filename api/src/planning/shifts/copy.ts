import { type BodyOf, addDays, daysBetween, type Shift, shiftRange, type shifts, blocksTruck } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type ShiftFacts, loadShiftFacts } from './facts.ts'
import { checkShift } from './problems.ts'
import { shiftRecords } from './queries.ts'
import { toShiftInput, toShiftRow } from './rules.ts'
import { insertShifts } from './save.ts'
import { BookingIndex, describeShift, loadBookings } from './takings.ts'

type Input = BodyOf<typeof shifts.copy>

const MARGIN_MS = 36 * 3_600_000

/** Copies shifts to other days. What does not fit there is left out, and named with its reason. */
export const copyShifts = (db: Db, scope: Scope, input: Input) =>
  inTransaction(db, async (db) => {
    const sources = await sourcesOf(db, scope, input)
    const candidates = sources.map((shift) => ({
      ...toShiftInput(shift),
      date: addDays(shift.date, daysBetween(input.from, input.onto)),
    }))
    const facts = await loadShiftFacts(db, candidates)
    const plan = await planAround(db, candidates, input)
    const skipped: { name: string; reason: string }[] = []
    const rows: ReturnType<typeof toShiftRow>[] = []
    for (const [index, candidate] of candidates.entries()) {
      const name = nameOf(sources[index] as Shift, candidate.date)
      const reasons = Object.values(checkShift(candidate, facts))
      const taking = reasons.length === 0 ? takingOf(candidate, facts, name) : undefined
      const clashes = taking ? plan.clashesWith(taking).map((clash) => `In the way: ${clash.name}.`) : []
      if (taking && clashes.length === 0) {
        plan.add(taking)
        rows.push(toShiftRow(candidate, facts))
      } else skipped.push({ name, reason: [...reasons, ...new Set(clashes)].join(' ') })
    }
    if (input.save) await insertShifts(db, scope, rows)
    return { copied: rows.length, skipped }
  })

async function sourcesOf(
  db: Db,
  scope: Scope,
  { from, to, market, client, program, truck, driver }: Input,
): Promise<Shift[]> {
  const given = Object.entries({ market, client, program, truck, driver }).filter(([, uids]) => uids.length > 0)
  const query = { from, to, ...Object.fromEntries(given), page: 1, pageSize: 1 }
  const found: Shift[] = []
  for await (const shift of shiftRecords.stream(db, scope, query)) if (blocksTruck(shift.status)) found.push(shift)
  return found
}

/** What is planned already on the days that are copied to, and a little around them. */
async function planAround(db: Db, candidates: { truckUid: string; driverUid: string; date: string }[], input: Input) {
  const at = Date.parse(`${input.onto}T00:00:00Z`)
  const until = at + (daysBetween(input.from, input.to) + 1) * 86_400_000
  return new BookingIndex(
    await loadBookings(db, {
      truckUids: [...new Set(candidates.map(({ truckUid }) => truckUid))],
      driverUids: [...new Set(candidates.map(({ driverUid }) => driverUid))],
      from: at - MARGIN_MS,
      to: until + MARGIN_MS,
    }),
  )
}

function takingOf(candidate: ReturnType<typeof toShiftInput>, facts: ShiftFacts, name: string) {
  const zone = facts.markets.get(candidate.marketUid)?.zone ?? 'UTC'
  const { startsAt = Number.NaN, endsAt = Number.NaN } = shiftRange({ ...candidate, zone })
  return { uid: '', truckUid: candidate.truckUid, driverUid: candidate.driverUid, startsAt, endsAt, name }
}

const nameOf = (shift: Shift, date: string) =>
  describeShift({ ...shift, date, truck: shift.truck.name, driver: shift.driver.name, program: shift.program.name })
