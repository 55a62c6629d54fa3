import type { TrackPoint } from '@roadshow/contract'
import { EMPTY_TRACK, type TrackProgress } from './miles.ts'

type Numbers = (number | null)[]

/**
 * A track as it is stored: only numbers, in a fixed order. Every page of a feed writes the tracks of all moving trucks,
 * and field names would be most of the bytes. A track without a fix is null.
 */
export type PackedTrack = readonly (number | null)[] | null

const ofFix = (fix: TrackPoint | null | undefined): Numbers =>
  fix ? [fix.at, fix.latitude, fix.longitude, fix.speedKmh] : [null, null, null, null]

const toFix = ([at, latitude, longitude, speedKmh]: Numbers): TrackPoint | null =>
  typeof at !== 'number' ? null : { at, latitude: latitude ?? 0, longitude: longitude ?? 0, speedKmh: speedKmh ?? null }

export function packTrack(track: TrackProgress): PackedTrack {
  if (track.fixes === 0) return null
  const { metres, estimatedMetres, heardMs, fixes, reachM, anchor, last, elsewhere } = track
  const kept = [metres, estimatedMetres, heardMs, fixes, reachM, ...ofFix(anchor), ...ofFix(last)]
  return elsewhere ? [...kept, elsewhere.count, ...ofFix(elsewhere.fix)] : kept
}

export function unpackTrack(kept: PackedTrack): TrackProgress {
  if (!kept) return EMPTY_TRACK
  const [metres, estimatedMetres, heardMs, fixes, reachM] = kept
  const elsewhere = toFix(kept.slice(14, 18))
  return {
    metres: metres ?? 0,
    estimatedMetres: estimatedMetres ?? 0,
    heardMs: heardMs ?? 0,
    fixes: fixes ?? 0,
    reachM: reachM ?? 0,
    anchor: toFix(kept.slice(5, 9)),
    last: toFix(kept.slice(9, 13)),
    elsewhere: elsewhere && { fix: elsewhere, count: kept[13] ?? 0 },
  }
}
