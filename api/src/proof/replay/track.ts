import type { Replay, TrackPoint } from '@roadshow/contract'
import { credibleFixes, readFixes, sourcesBetween } from '../../live/telemetry/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { ReplaySpan } from './span.ts'

/** The positions of a span that its reader may see. Places that the truck can't have reached are left out. */
export async function readTrack(db: Db, { truck, from, to, only }: ReplaySpan): Promise<TrackPoint[]> {
  if (from >= to) return []
  const fixes = (await readFixes(db, [truck.uid], { from, to })).get(truck.uid) ?? []
  const seen = only ? fixes.filter(({ at }) => only.some((range) => at >= range.from && at < range.to)) : fixes
  return [...credibleFixes(seen)]
}

/** Which sources gave the track of a span, as far as its reader may see it. */
export async function readSources(db: Db, { truck, from, to, only }: ReplaySpan): Promise<Replay['sources']> {
  if (from >= to) return []
  const all = await sourcesBetween(db, truck.uid, { from, to })
  return all.filter((part) => !only || only.some((range) => part.from < range.to && part.to > range.from))
}
