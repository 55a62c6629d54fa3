import { adLog } from '@roadshow/contract/proof/ad-log'
import type {
  AccountedFigures,
  AdLogSummary,
  LoggedPlay,
  UnassignedPlay,
  UnstoredNumbers,
} from '@roadshow/contract/proof/ad-log'
import { paged } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'

export const SUMMER = testUid(1)
export const DALLAS = testUid(2)
const AUSTIN = testUid(3)
const ACME = testUid(9)
export const T1 = testUid(70)
export const T2 = testUid(71)
export const NIGHT_SHIFT = testUid(90)
const DAYS = { firstDay: '2026-07-01', lastDay: '2026-07-31' }
const zone = 'America/Chicago'
const summer = { uid: SUMMER, name: 'Summer', client: { uid: ACME, name: 'Acme' }, ...DAYS }
const markets = [
  { uid: DALLAS, name: 'Dallas', zone, ...DAYS, firstDay: '2026-07-03' },
  { uid: AUSTIN, name: 'Austin', zone, ...DAYS },
]

/** Figures that add up, whatever is given. */
export function accounted(more: Partial<AccountedFigures>): AccountedFigures {
  const { plays = 0, unverified = 0, conflict = 0, missing = 0, rejected = 0, duplicates = 0, unassigned = 0 } = more
  return {
    plays,
    seconds: plays * 8,
    verified: plays - unverified - conflict,
    unverified,
    conflict,
    noTrack: 0,
    missing,
    rejected,
    duplicates,
    numbers: plays + missing + rejected + duplicates + (unassigned ?? 0),
    ...more,
    unassigned,
  }
}

const onSide = ({ plays, seconds, verified, unverified, conflict }: AccountedFigures) => ({
  plays,
  seconds,
  verified,
  unverified,
  conflict,
})

const summary: AdLogSummary = {
  address: null,
  onlyCounted: 0,
  zones: [zone],
  total: accounted({
    plays: 1500,
    unverified: 200,
    noTrack: 50,
    conflict: 100,
    missing: 40,
    rejected: 2,
    unassigned: 8,
  }),
  days: [
    { day: '2026-07-03', ...accounted({ plays: 1000, unverified: 200, noTrack: 50, rejected: 2, unassigned: 8 }) },
    { day: '2026-07-05', ...accounted({ plays: 500, conflict: 100, missing: 40 }) },
  ],
  sides: [
    { side: 'driverSide', ...onSide(accounted({ plays: 900, unverified: 200, conflict: 100 })) },
    { side: 'rear', ...onSide(accounted({ plays: 600 })) },
  ],
  trucks: [
    {
      truck: { uid: T1, name: 'T-1' },
      ...accounted({
        plays: 1400,
        unverified: 200,
        noTrack: 50,
        conflict: 100,
        missing: 40,
        rejected: 2,
        unassigned: 8,
      }),
    },
    { truck: { uid: T2, name: 'T-2' }, ...accounted({ plays: 100 }) },
  ],
  keptSince: '2026-07-04T12:00:00.000Z',
  jumps: 0,
}

export const aPlay: LoggedPlay = {
  uid: 'device play',
  startedAt: '2026-07-05T14:00:00.000Z',
  day: '2026-07-05',
  shiftUid: testUid(91),
  zone,
  program: { uid: SUMMER, name: 'Summer' },
  market: { uid: DALLAS, name: 'Dallas' },
  marketCenter: { latitude: 32.78, longitude: -96.8 },
  truck: { uid: T1, name: 'T-1' },
  side: 'rear',
  artwork: { uid: testUid(80), name: 'Splash' },
  durationMs: 8500,
  address: null,
  latitude: null,
  longitude: null,
  grade: 'conflict',
  reason: 'overlap',
  verifiedBy: null,
  sequence: 3,
  receivedAt: '2026-07-06T14:00:00.000Z',
  isLate: true,
}

const aGap: UnstoredNumbers = {
  uid: 'device missing 47',
  kind: 'missing',
  day: '2026-07-05',
  at: '2026-07-05T20:15:00.000Z',
  zone: 'America/Chicago',
  truck: { uid: testUid(11), name: 'T-1' },
  deviceUid: testUid(12),
  from: 7,
  to: 46,
  reason: null,
}

const anUnassignedPlay: UnassignedPlay = {
  uid: 'device unassigned',
  startedAt: '2026-07-03T20:15:00.000Z',
  day: '2026-07-03',
  zone,
  truck: { uid: T1, name: 'T-1' },
  side: 'rear',
  artwork: { uid: testUid(80), name: 'Splash' },
  program: { uid: SUMMER, name: 'Summer' },
  client: { uid: ACME, name: 'Acme' },
  durationMs: 8000,
  latitude: null,
  longitude: null,
  grade: 'unverified',
  reason: 'noShift',
  sequence: 12,
  receivedAt: '2026-07-03T20:15:05.000Z',
  isLate: false,
}

/** Unassigned plays and missing numbers of a query, as the API leaves out what it can't assign. */
const narrowed = (query: URLSearchParams): AdLogSummary => {
  if (query.has('shift') || query.has('market')) {
    const total = accounted({ plays: 300, missing: 4, rejected: 1 })
    const figures = { ...total, unassigned: null }
    return {
      ...summary,
      total: figures,
      days: [{ day: '2026-07-03', ...figures }],
      trucks: [{ truck: { uid: T1, name: 'T-1' }, ...figures }],
    }
  }
  if (query.has('truck')) return { ...summary, trucks: summary.trucks.slice(1), total: accounted({ plays: 100 }) }
  return summary
}

/** Answers everything that the ad log asks for. */
export function answerAdLog(api: FakeApi): void {
  api.answer(adLog.programs, () => paged([summer]))
  api.answer(adLog.markets, ({ query }) =>
    paged(markets.filter(({ uid }) => !query.has('uid') || query.get('uid') === uid)),
  )
  api.answer(adLog.summary, ({ query }) => ({ data: narrowed(query) }))
  api.answer(adLog.list, () => ({ data: [aPlay], page: 1, pageSize: 10, total: 2_000_000 }))
  api.answer(adLog.unstored, () => ({ data: [aGap], page: 1, pageSize: 10, total: 1, numbers: 40 }))
  api.answer(adLog.unassigned, () => ({ data: [anUnassignedPlay], page: 1, pageSize: 10, total: 8 }))
}

export const emptySummary: AdLogSummary = { ...summary, total: accounted({}), days: [], sides: [], trucks: [] }

/** The counter of a player jumped, and no one has decided what that means. */
export function answerJumps(api: FakeApi): void {
  const jump: UnstoredNumbers = { ...aGap, uid: 'device jump 100012', kind: 'jump', from: 813, to: 100_011 }
  api.answer(adLog.summary, () => ({ data: { ...summary, jumps: 1 } }))
  api.answer(adLog.unstored, () => ({ data: [jump], page: 1, pageSize: 10, total: 1, numbers: 0 }))
  api.answer(adLog.answerJump, () => ({ data: { uid: jump.deviceUid } }))
}
