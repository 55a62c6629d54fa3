import { type PlayerData, type PlayerSet, truckSides } from '@roadshow/contract'

export const START = Date.UTC(2026, 6, 1, 12)
export const HOUR = 3_600_000

type Shift = PlayerData['shifts'][number]

/** A set with a file for each side, with the lengths of its videos. */
export const setOf = (name: string, durations: (number | null)[] = [], size = 1000): PlayerSet => ({
  artworkSetUid: name,
  name,
  files: truckSides.map((side, index) => ({
    side,
    sha256: `${name} ${side}`,
    contentType: 'image/png',
    size,
    durationMs: durations[index] ?? null,
    url: `/${name}/${side}`,
  })),
})

type GivenShift = Partial<Omit<Shift, 'startsAt' | 'endsAt'>> & { from?: number; to?: number }

/** A shift from and to so many milliseconds after the start. */
export const shiftOf = ({ from = 0, to = HOUR, ...given }: GivenShift = {}): Shift => ({
  uid: 'shift',
  programUid: 'program',
  startsAt: new Date(START + from).toISOString(),
  endsAt: new Date(START + to).toISOString(),
  artwork: setOf('own'),
  addresses: [],
  ...given,
})

export const manifestOf = (shifts: Shift[], fallback: PlayerSet | null = null): PlayerData => ({
  truck: { uid: 'truck', number: 'T-1' },
  pixelMap: null,
  shifts,
  fallback,
  serverTime: new Date(START).toISOString(),
})
