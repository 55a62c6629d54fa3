import type { TrackPoint } from '@roadshow/contract'

/** Where a player gets its position from, the best first. */
export const positionSources = ['bridge', 'browser', 'server'] as const
export type PositionSource = (typeof positionSources)[number]

/** A source that was silent for so long is lost. Trackers in the server's feed speak less often than a receiver. */
const STALE_MS: Record<PositionSource, number> = { bridge: 10_000, browser: 10_000, server: 60_000 }

interface HeardFix {
  fix: TrackPoint
  heardAt: number
}

/** Chooses among the sources of positions: the best one that is not silent. */
export class PositionSources {
  readonly #heard = new Map<PositionSource, HeardFix>()

  /** Takes in a fix, and says whether the player goes by it: not while a better source speaks. */
  hear(source: PositionSource, fix: TrackPoint, now: number): boolean {
    if (!isPlausible(fix)) return false
    this.#heard.set(source, { fix, heardAt: now })
    return this.source(now) === source
  }

  /** The source that the player goes by; null if all are silent. */
  source(now: number): PositionSource | null {
    for (const source of positionSources) {
      const heard = this.#heard.get(source)
      // A clock that was set back must not keep a silent source alive.
      if (heard && Math.abs(now - heard.heardAt) <= STALE_MS[source]) return source
    }
    return null
  }

  position(now: number): TrackPoint | null {
    const source = this.source(now)
    return source === null ? null : (this.#heard.get(source)?.fix ?? null)
  }
}

/** Receivers without a fix say 0, 0 or no number. */
const isPlausible = ({ latitude, longitude, at }: TrackPoint): boolean =>
  Number.isFinite(at) &&
  Math.abs(latitude) <= 90 &&
  Math.abs(longitude) <= 180 &&
  !(Math.abs(latitude) < 1e-6 && Math.abs(longitude) < 1e-6)
