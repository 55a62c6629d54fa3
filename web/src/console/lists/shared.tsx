import type { ProgramFacts } from '@roadshow/contract/console/list-facts'
import { formatDollars } from '@roadshow/contract/platform/figures'
import { zoneName } from '@roadshow/contract/platform/dates'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'

type NextShift = NonNullable<ProgramFacts['nextShift']>

/** `Thu, Nov 19, 8:00 PM–4:00 AM CST` */
export const nextShiftText = (shift: NextShift): string =>
  `${formatShiftTime(shift)} ${zoneName(shift.zone, new Date(`${shift.date}T12:00:00Z`))}`

/** The next shift, or that there is none; nothing until it is known. */
export const NextShift = ({ facts }: { facts: { nextShift: NextShift | null } | undefined }) =>
  facts && <span className="figures">{facts.nextShift ? nextShiftText(facts.nextShift) : 'None planned'}</span>

/** An amount; a dash without prices. */
export const dollars = (cents: number | null | undefined) =>
  cents === undefined ? '' : cents === null ? '–' : formatDollars(cents)
