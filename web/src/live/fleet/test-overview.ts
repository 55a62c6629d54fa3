import type { LiveTruck, OverviewShift } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { testUid } from '../../test-uid.ts'

export const aTruck = (n: number, more: Partial<LiveTruck> = {}): LiveTruck => ({
  uid: testUid(n),
  number: `T-${n}`,
  state: 'driving',
  latitude: 32.7 + n / 100,
  longitude: -96.8,
  speedKmh: 48,
  heading: 90,
  odometerM: 1e3,
  positionAt: '2026-07-01T12:00:00.000Z',
  playerAt: null,
  shift: null,
  offShift: null,
  ...more,
})

export const aShift: OverviewShift = {
  uid: testUid(500),
  date: '2026-07-01',
  start: '08:00',
  end: '16:00',
  zone: 'America/Chicago',
  truck: {
    uid: testUid(1),
    name: 'T-1',
  },
  driver: {
    uid: testUid(601),
    name: 'Kit Moreno',
  },
  program: {
    uid: testUid(602),
    name: 'Summer Tour',
  },
  client: {
    uid: testUid(603),
    name: 'Zephyr Foods',
  },
  market: {
    uid: testUid(604),
    name: 'Dallas',
  },
  startsAt: '2026-07-01T13:00:00.000Z',
  endsAt: '2026-07-01T21:00:00.000Z',
  status: 'planned',
  startedAt: null,
  stoppedAt: null,
  isLate: true,
  driverAnswer: null,
  declineReason: '',
  requestedTruck: null,
  driverMarks: ['notStarted'],
  state: null,
  metres: null,
  plays: 0,
  isWithoutPlays: false,
  ready: {
    artwork: true,
    clock: null,
    gps: false,
    player: true,
  },
}

export const anIssue: TruckIssue = {
  uid: testUid(700),
  truck: {
    uid: testUid(1),
    name: 'T-1',
  },
  shift: null,
  zone: 'America/Chicago',
  kind: 'screen',
  raisedBy: 'driver',
  text: 'Left side flickers',
  photo: null,
  photos: [],
  status: 'open',
  note: '',
  assignee: null,
  snoozedUntil: null,
  driver: null,
  place: null,
  comments: 0,
  openedAt: '2026-07-01T11:00:00.000Z',
  resolvedAt: null,
  updatedAt: '2026-07-01T11:00:00.000Z',
  version: 2,
}
