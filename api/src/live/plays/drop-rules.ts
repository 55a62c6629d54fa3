import type { DeliveredFigures, DropCause } from '@roadshow/contract'

/** An entry of the history that made plays be graded again. */
export interface CausingEntry {
  table: string
  action: string
  changes: Record<string, [before: unknown, after: unknown]>
}

/** The first that fits names the change of a shift. */
const shiftCauses: readonly (readonly [DropCause, (changes: CausingEntry['changes']) => boolean])[] = [
  ['canceled', ({ status }) => status?.[1] === 'cancelled'],
  ['noShow', ({ status }) => status?.[1] === 'noShow'],
  ['otherProgram', (changes) => 'program_uid' in changes],
  ['otherTruck', (changes) => 'truck_uid' in changes],
  ['otherMarket', (changes) => 'market_uid' in changes],
  ['otherDay', (changes) => 'local_date' in changes],
  ['stopped', ({ stopped_at: stop }) => stop !== undefined && stop[0] === null],
  ['times', (changes) => changesStart(changes) && changesEnd(changes)],
  ['start', (changes) => changesStart(changes)],
  ['end', (changes) => changesEnd(changes)],
]
const changesStart = (changes: object) => 'start_time' in changes || 'started_at' in changes
const changesEnd = (changes: object) => 'end_time' in changes || 'stopped_at' in changes

/** What was changed, in the words of a drop; without an entry the truck's data arrived. */
export function dropCauseOf(entry: CausingEntry | null): DropCause {
  if (!entry) return 'data'
  if (entry.table !== 'shift') return entry.table === 'market' ? 'area' : 'setting'
  if (entry.action === 'created' || entry.action === 'restored') return 'added'
  if (entry.action === 'deleted') return 'deleted'
  return shiftCauses.find(([, fits]) => fits(entry.changes))?.[0] ?? 'changed'
}

const MOST_PLAYS = 10
const MOST_SHARE = 0.01

/** Whether the office is notified of what was lost: of more than ten plays, or of more than one percent of what the program had. */
export const isLargeDrop = (figure: keyof DeliveredFigures, lost: number, total: number): boolean =>
  (lost > MOST_PLAYS && (figure === 'plays' || figure === 'verified')) || lost > total * MOST_SHARE
