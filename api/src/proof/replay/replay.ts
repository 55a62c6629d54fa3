import { packTrack, photoCalls, type Replay, type ReplayPhoto, type ReplayStop, rowAccessFor } from '@roadshow/contract'
import type { PlayStores } from '../../live/plays/index.ts'
import { loadStopVisits } from '../../live/telemetry/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { photoRecords } from '../photos/index.ts'
import { loadPlays } from './plays.ts'
import { findSpan, type ReplayQuery, type ReplaySpan } from './span.ts'
import { thinTrack } from './thin.ts'
import { readSources, readTrack } from './track.ts'

// A fix every four seconds of a day.
const MOST_FIXES = 20_000
const MOST_PHOTOS = 200

/** The photos of the shifts that were taken in a span, for readers of photos. */
async function loadPhotos(db: Db, { actor }: Scope, span: ReplaySpan): Promise<ReplayPhoto[]> {
  const rows = rowAccessFor(actor, photoCalls.photos.access) ?? rowAccessFor(actor, photoCalls.newest.access)
  if (!rows || span.shifts.length === 0) return []
  const query = { shift: span.shifts.map(({ uid }) => uid), page: 1, pageSize: MOST_PHOTOS, sort: 'takenAt' } as const
  const { data } = await photoRecords.page(db, { rows, actor }, query)
  return data.flatMap(({ uid, takenAt, latitude, longitude, urls, caption, side, grade }) => {
    const at = takenAt === null ? NaN : Date.parse(takenAt)
    if (!(at >= span.from && at < span.to)) return []
    return [{ uid, at, latitude, longitude, small: urls.small, large: urls.large, caption, side, grade }]
  })
}

async function loadStops(db: Db, { shifts }: ReplaySpan): Promise<ReplayStop[]> {
  const visits = await loadStopVisits(db, [...new Set(shifts.map(({ uid }) => uid))])
  return [...visits.values()]
    .flat()
    .map(({ name, latitude, longitude, radiusM, opensAt, closesAt, state, arrivedAt, leftAt }) => ({
      name,
      latitude,
      longitude,
      radiusM,
      opensAt,
      closesAt,
      state,
      arrivedAt,
      leftAt,
    }))
}

/** A shift, or a truck's day, as its reader may see it. */
export async function loadReplay(stores: PlayStores, scope: Scope, query: ReplayQuery): Promise<Replay> {
  const { db } = stores
  const span = await findSpan(db, scope, query)
  const { truck, day, zone, from, to, isRunning, shifts } = span
  // Track and plays are thousands of rows each: one is read while the other is.
  const [fixes, played] = await Promise.all([readTrack(db, span), loadPlays(stores, span)])
  const thinned = thinTrack(fixes, MOST_FIXES)
  return {
    truck,
    day,
    zone,
    from,
    to,
    isRunning,
    shifts,
    track: packTrack(thinned),
    sources: await readSources(db, span),
    thinned: fixes.length - thinned.length,
    ...played,
    photos: await loadPhotos(db, scope, span),
    stops: await loadStops(db, span),
  }
}
