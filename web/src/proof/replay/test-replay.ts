import { packTrack, toSteps } from '@roadshow/contract/proof/replay-track'
import { replays } from '@roadshow/contract/proof/replay'
import type { Replay } from '@roadshow/contract/proof/replay'
import { paged } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

export const TRUCK = testUid(15)
export const SHIFT = testUid(90)

/** Tuesday, November 17, 2026, 5 PM in Chicago. */
export const FIVE = Date.parse('2026-11-17T23:00:00Z')
export const MINUTE = 60_000

/** A shift from five to eight: a position each minute from 5:10 to 6:30, and a play of 15 seconds each minute from 5:30 on. */
function aReplay(more: Partial<Replay> = {}): Replay {
  const fixes = Array.from({ length: 81 }, (_, n) => ({
    at: FIVE + (10 + n) * MINUTE,
    latitude: 41.88 + n * 0.001,
    longitude: -87.63,
    speedKmh: 40,
  }))
  const starts = Array.from({ length: 60 }, (_, n) => FIVE + (30 + n) * MINUTE)
  const none = { startedAt: [], durationMs: [], picture: [], mark: [] }
  return {
    truck: { uid: TRUCK, name: 'T-15', kind: 'led' },
    day: '2026-11-17',
    zone: 'America/Chicago',
    from: FIVE,
    to: FIVE + 180 * MINUTE,
    isRunning: false,
    shifts: [
      {
        uid: SHIFT,
        program: { uid: testUid(1), name: 'Winter Bikes' },
        market: 'Chicago',
        from: FIVE,
        to: FIVE + 180 * MINUTE,
      },
    ],
    track: packTrack(fixes),
    sources: [],
    thinned: 0,
    pictures: [{ artwork: 'Bikes, main', program: 'Winter Bikes', url: '/bikes.png', isVideo: false }],
    plays: [
      { side: 'driverSide', ...none },
      { side: 'passengerSide', ...none },
      {
        side: 'rear',
        startedAt: toSteps(starts),
        durationMs: starts.map(() => 15_000),
        picture: starts.map(() => 0),
        mark: starts.map(() => 0),
      },
    ],
    playLog: 'kept',
    photos: [],
    stops: [],
    ...more,
  }
}

export function answerReplay(api: FakeApi, given: Partial<Replay> = {}): void {
  api.answer(replays.get, () => ({ data: aReplay(given) }))
  api.answer(replays.trucks, () => paged([{ uid: TRUCK, name: 'T-15' }]))
}
