import { fillDays, type FillRequest, NIL_UUID, workweekOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { refuseFields } from '../../platform/runtime/app-error.ts'
import { loadShiftFacts, type ShiftCandidate, type ShiftFacts, shiftInstants } from '../shifts/index.ts'
import { screenNeedOf, type ScreenNeeds, sharedProblems } from '../suggestions/index.ts'
import type { BookedShift } from './facts.ts'
import type { Slot } from './problem.ts'

interface WantedDay extends ShiftCandidate {
  trucks: number
}

/** The days of a request in each of its markets, with truck and driver open. */
const wantedDays = (request: FillRequest): WantedDay[] =>
  fillDays(request).flatMap((date) =>
    request.markets.map(({ marketUid, trucks }) => ({
      truckUid: NIL_UUID,
      driverUid: NIL_UUID,
      programUid: request.programUid,
      marketUid,
      date,
      start: request.start,
      end: request.end,
      artworkSetUid: null,
      addressSetUid: null,
      trucks,
    })),
  )

/** A day on which saving would refuse every shift, whatever truck and driver it has. */
interface RefusedDay {
  marketUid: string
  date: string
  missing: number
  refusal: string
}

export interface WantedSlots {
  slots: Slot[]
  refused: RefusedDay[]
  wanted: number
  alreadyPlanned: number
  facts: ShiftFacts
}

/** Refuses a program or market that cannot be planned at all, before anything is looked for. */
function refuseUnplannable(days: readonly WantedDay[], facts: ShiftFacts): void {
  for (const { trucks: _trucks, ...values } of days) {
    const { programUid, marketUid } = sharedProblems({ values, saved: undefined, facts })
    refuseFields({ ...(programUid && { programUid }), ...(marketUid && { markets: marketUid }) })
  }
}

/** Reads what the rules of saving say about a request; refuses it if its program or a market cannot be planned. */
export async function loadWantedDays(db: Db, request: FillRequest) {
  const days = wantedDays(request)
  const facts = await loadShiftFacts(db, days)
  refuseUnplannable(days, facts)
  return { days, facts }
}

const BEGUN = 'These hours have already begun.'

/** The slots to fill: what is planned already for the same program, market and hours counts. */
export function slotsOf(
  { days, facts }: Awaited<ReturnType<typeof loadWantedDays>>,
  booked: readonly BookedShift[],
  needs: ScreenNeeds,
  now: number,
): WantedSlots {
  const found: WantedSlots = { slots: [], refused: [], wanted: 0, alreadyPlanned: 0, facts }
  for (const { trucks, ...values } of days) {
    const { marketUid, date, programUid } = values
    const { startsAt, endsAt } = shiftInstants(values, facts)
    const planned = booked.filter(
      (shift) =>
        shift.programUid === programUid &&
        shift.marketUid === marketUid &&
        shift.date === date &&
        shift.startsAt < endsAt &&
        startsAt < shift.endsAt,
    ).length
    const demand = Math.max(0, trucks - planned)
    found.wanted += trucks
    found.alreadyPlanned += trucks - demand
    if (demand === 0) continue
    const problems = Object.values(sharedProblems({ values, saved: undefined, facts }))
    const refusal = [...problems, ...(problems.length === 0 && startsAt <= now ? [BEGUN] : [])].join(' ')
    if (refusal) found.refused.push({ marketUid, date, missing: demand, refusal })
    else {
      const needsScreens = screenNeedOf(needs, values) !== undefined
      found.slots.push({ marketUid, date, week: workweekOf(date), startsAt, endsAt, demand, needsScreens })
    }
  }
  return found
}
