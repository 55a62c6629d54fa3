import { payOptionLabel, payOptions } from '@roadshow/contract/planning/shifts'
import type { PayLine } from '@roadshow/contract/pay/payroll'
import { useSearch } from '@tanstack/react-router'
import type { UrlSearch } from '../../ui/useListState.ts'

/** The shifts behind a figure of a statement. */
const lineGroups = ['all', 'paid', ...payOptions, 'unpaid', 'undecided', 'anomalies'] as const
export type LineGroup = (typeof lineGroups)[number]

export const lineGroupLabel: Record<LineGroup, string> = {
  all: 'Shifts',
  paid: 'Paid shifts',
  halfDay: `Paid as ${payOptionLabel.halfDay.toLowerCase()}`,
  eightHours: `Paid as ${payOptionLabel.eightHours.toLowerCase()}`,
  twelveHours: `Paid as ${payOptionLabel.twelveHours.toLowerCase()}`,
  unpaid: 'Shifts that are not paid',
  undecided: 'Shifts that need a decision',
  anomalies: 'Shifts with problems',
}

/** Where the lines of a statement begin on the page. */
export const LINES_ID = 'pay-lines'

const isIn: Record<LineGroup, (line: PayLine) => boolean> = {
  all: () => true,
  paid: ({ unpaid }) => unpaid === '',
  halfDay: ({ unpaid, option }) => unpaid === '' && option === 'halfDay',
  eightHours: ({ unpaid, option }) => unpaid === '' && option === 'eightHours',
  twelveHours: ({ unpaid, option }) => unpaid === '' && option === 'twelveHours',
  unpaid: ({ unpaid }) => unpaid !== '',
  undecided: ({ needsDecision }) => needsDecision,
  // Those to decide are a group of their own.
  anomalies: ({ anomalies, needsDecision }) => anomalies.length > 0 && !needsDecision,
}

export const linesOf = (lines: readonly PayLine[], group: LineGroup): PayLine[] => lines.filter(isIn[group])

const sum = (lines: readonly PayLine[], valueOf: (line: PayLine) => number) =>
  lines.reduce((total, line) => total + valueOf(line), 0)

export const sumLines = (lines: readonly PayLine[]) => ({
  cents: sum(lines, ({ cents }) => cents),
  plannedMinutes: sum(lines, ({ plannedMinutes }) => plannedMinutes),
  actualMinutes: sum(lines, ({ actualMinutes }) => actualMinutes ?? 0),
  metres: sum(lines, ({ metres }) => metres ?? 0),
})

/** The group that the address names. */
export function useLineGroup(): LineGroup {
  const { lines }: UrlSearch = useSearch({ strict: false })
  return lineGroups.find((group) => group === lines) ?? 'all'
}
