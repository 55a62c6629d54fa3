import { addDays, blocksTruck, type BodyOf, daysBetween, type Shift, type shifts } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { BookingIndex, describeShift } from './bookings.ts'
import { insertShifts } from './bulk-write.ts'
import { recordShiftChanges } from './changes.ts'
import { loadBookings, loadShiftFacts } from './facts.ts'
import { shiftRecords } from './queries.ts'
import { checkShift, describeInactiveProgram, type ShiftFacts, type ShiftValues } from './rules.ts'
import { driverOf, type ShiftRow, shiftInstants, toShiftRow, toShiftValues } from './shift-row.ts'

type CopyRequest = BodyOf<typeof shifts.copy>

/** A shift on its new day, in words and in values. */
interface ShiftCopy {
  name: string
  values: ShiftValues
}

/** Copies shifts to other days. Shifts that do not fit there are skipped, each with its reason. */
export const copyShifts = (db: Db, scope: Scope, request: CopyRequest) =>
  inTransaction(db, async (db) => {
    const copies = (await loadSources(db, scope, request)).map((shift) => toCopy(shift, request))
    const facts = await loadShiftFacts(
      db,
      copies.map(({ values }) => values),
    )
    const bookings = await loadBookingsAround(db, copies, request)
    const { rows, skipped, inactive } = placeCopies(copies, { facts, bookings, ...request })
    if (request.save) await recordShiftChanges(db, await insertShifts(db, scope, rows))
    return { copied: rows.length, skipped, inactive }
  })

function toCopy(shift: Shift, { from, onto }: CopyRequest): ShiftCopy {
  const date = addDays(shift.date, daysBetween(from, onto))
  const { truck, program } = shift
  return {
    name: describeShift({ ...shift, date, truck: truck.name, driver: driverOf(shift).name, program: program.name }),
    values: { ...toShiftValues(shift), date },
  }
}

interface CopyPlace {
  facts: ShiftFacts
  bookings: BookingIndex
  allowInactiveProgram: boolean
}

/** Decides one by one which copies fit; a copy that fits is in the way of those after it. */
function placeCopies(copies: readonly ShiftCopy[], { facts, bookings, allowInactiveProgram }: CopyPlace) {
  let inactive = 0
  const skipped: { name: string; reason: string }[] = []
  const rows: ShiftRow[] = []
  for (const { name, values } of copies) {
    const problems = Object.values(checkShift(values, facts))
    const { truckUid, driverUid } = values
    const { startsAt, endsAt } = shiftInstants(values, facts)
    const booking = { uid: '', truckUid, driverUid, startsAt, endsAt, name }
    const clashes = problems.length > 0 ? [] : bookings.clashesWith(booking)
    const asks = problems.length + clashes.length === 0 ? describeInactiveProgram(values, facts) : undefined
    if (asks) inactive++
    if (asks && !allowInactiveProgram) problems.push(asks)
    if (problems.length + clashes.length === 0) {
      bookings.add(booking)
      rows.push(toShiftRow(values, facts))
    } else {
      const inTheWay = clashes.map((clash) => `Overlaps ${clash.name}.`)
      skipped.push({ name, reason: [...problems, ...new Set(inTheWay)].join(' ') })
    }
  }
  return { rows, skipped, inactive }
}

async function loadSources(
  db: Db,
  scope: Scope,
  { from, to, market, client, program, truck, driver }: CopyRequest,
): Promise<Shift[]> {
  const filters = Object.entries({ market, client, program, truck, driver }).filter(([, uids]) => uids.length > 0)
  const query = { from, to, ...Object.fromEntries(filters), page: 1, pageSize: 1 }
  const sources: Shift[] = []
  for await (const shift of shiftRecords.stream(db, scope, query)) if (blocksTruck(shift.status)) sources.push(shift)
  return sources
}

// A shift of a neighboring day reaches into the copied days by at most a night and the country's zones.
const MARGIN_MS = 36 * 3_600_000

/** Loads the bookings on the days that are copied to, and shortly before and after. */
async function loadBookingsAround(db: Db, copies: readonly ShiftCopy[], { from, to, onto }: CopyRequest) {
  const startsAt = Date.parse(`${onto}T00:00:00Z`)
  const endsAt = startsAt + (daysBetween(from, to) + 1) * 86_400_000
  return new BookingIndex(
    await loadBookings(db, {
      truckUids: [...new Set(copies.map(({ values }) => values.truckUid))],
      driverUids: [...new Set(copies.map(({ values }) => values.driverUid))],
      from: startsAt - MARGIN_MS,
      to: endsAt + MARGIN_MS,
    }),
  )
}
