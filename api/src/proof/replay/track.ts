import type { TrackPoint } from '@roadshow/contract'
import { credibleFixes, readFixes } from '../../live/telemetry/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ReplaySpan } from './span.ts'

/** The positions of a span that its reader may see. Places that the truck can't have reached are left out. */
export async function readTrack(db: Db, { truck, from, to, only }: ReplaySpan): Promise<TrackPoint[]> {
  if (from >= to) return []
  const fixes = (await readFixes(db, [truck.uid], { from, to })).get(truck.uid) ?? []
  const seen = only ? fixes.filter(({ at }) => only.some((range) => at >= range.from && at < range.to)) : fixes
  return [...credibleFixes(seen)]
}
