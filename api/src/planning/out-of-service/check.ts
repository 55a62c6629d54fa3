import { type BodyOf, type outOfServices, type ReplyOf, type Shift } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { findResource, loadShiftsInStretch, resolveStretch, stretchRecords } from '../shifts/index.ts'
import { suggestForShift } from '../suggestions/index.ts'
import { proposeReplacements } from './propose.ts'

type Body = BodyOf<typeof outOfServices.check>
type Checked = ReplyOf<typeof outOfServices.check>['data']
type Resource = Awaited<ReturnType<typeof findResource>>

/** The most shifts that are listed with choices; a longer stretch is decided on in parts. */
const MOST_LISTED = 60
/** A longer list of choices would not be read. */
const MOST_CHOICES = 12

/** The shifts that are planned while a truck or a driver would be out of service, and who could take each. */
export async function checkStretch(db: Db, scope: Scope, body: Body): Promise<Checked> {
  const saved = body.uid === undefined ? undefined : await stretchRecords.get(db, scope, body.uid)
  const named = saved
    ? { from: body.from, truckUid: saved.truck?.uid ?? null, driverUid: saved.driver?.uid ?? null }
    : body
  const resource = await findResource(db, named)
  const { stretch, problems } = resolveStretch(body, resource.zone)
  const { zone } = resource
  if (!stretch) return { zone, problems, shifts: [], more: 0 }
  const found = await loadShiftsInStretch(db, scope, resource, stretch)
  const listed = []
  for (const shift of found.slice(0, MOST_LISTED)) {
    listed.push({ ...inShort(shift), choices: await choicesFor(db, scope, shift, resource) })
  }
  const proposed = proposeReplacements(listed)
  const shifts = listed.map((shift) => ({ ...shift, proposedUid: proposed.get(shift.uid) ?? null }))
  return { zone, problems, shifts, more: found.length - listed.length }
}

const inShort = ({ uid, version, status, truck, driver, program, market, date, start, end }: Shift) => ({
  uid,
  version,
  status,
  truck,
  driver: driver ?? { uid: '', name: '' },
  program,
  market,
  date,
  start,
  end,
})

/** The trucks or drivers that saving would accept for a shift, best first, without the one that is out of service. */
async function choicesFor(db: Db, scope: Scope, shift: Shift, { over, uid }: Resource) {
  const { date, start, end } = shift
  const suggestions = await suggestForShift(db, scope, {
    date,
    start,
    end,
    market: shift.market.uid,
    program: shift.program.uid,
    truck: shift.truck.uid,
    artworkSet: shift.artworkSet?.uid,
    uid: shift.uid,
  })
  const candidates = over === 'truck' ? suggestions.trucks.filter(({ isSuitable }) => isSuitable) : suggestions.drivers
  return candidates
    .filter((candidate) => candidate.refusal === null && candidate.uid !== uid)
    .slice(0, MOST_CHOICES)
    .map(({ uid: candidateUid, name, reasons }) => ({ uid: candidateUid, name, reasons }))
}
