import type { PlayHourRow } from '@roadshow/contract'
import { playFiguresOf, playTotals } from '../../live/plays/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { ChartQuery } from './chart-query.ts'

const NO_PLAYS = { plays: 0, verified: 0, conflict: 0, noTrack: 0, ms: 0 }

/** Plays by hour of day: every hour, or none where nothing was played. */
export async function loadPlaysByHour(db: Db, scope: Scope, query: ChartQuery): Promise<PlayHourRow[]> {
  const found = await playTotals(db, scope, { by: 'hourOfDay', ...query })
  if (found.length === 0) return []
  const byHour = new Map(found.map((total) => [total.hour, total]))
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...playFiguresOf(byHour.get(hour) ?? NO_PLAYS) }))
}
