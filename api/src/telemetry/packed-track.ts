import type { Fix, Track } from './miles.ts'

type Numbers = (number | null)[]

/**
 * A track as it is kept: numbers alone, in one order. The tracks of all trucks that move are written with every page of
 * a feed, and their names would be most of it.
 */
export type Packed = readonly (number | null)[]

const ofFix = (fix: Fix | null | undefined): Numbers =>
  fix ? [fix.at, fix.latitude, fix.longitude, fix.speedKmh] : [null, null, null, null]

const toFix = ([at, latitude, longitude, speedKmh]: Packed): Fix | null =>
  at == null ? null : { at, latitude: latitude ?? 0, longitude: longitude ?? 0, speedKmh: speedKmh ?? null }

export const packed = (track: Track): Packed => [
  track.metres,
  track.estimatedMetres,
  track.heardMs,
  track.fixes,
  track.reachM,
  ...ofFix(track.anchor),
  ...ofFix(track.last),
  track.elsewhere?.count ?? null,
  ...ofFix(track.elsewhere?.fix),
]

export function unpacked(kept: Packed): Track {
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
