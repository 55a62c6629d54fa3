import type { LiveTruck, OverviewShift, TruckIssue } from '@roadshow/contract/live/fleet'

export const uidOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`

export const aTruck = (n: number, more: Partial<LiveTruck> = {}): LiveTruck => ({
  uid: uidOf(n),
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
  ...more,
})

export const aShift: OverviewShift = {
  uid: uidOf(500),
  date: '2026-07-01',
  start: '08:00',
  end: '16:00',
  zone: 'America/Chicago',
  truck: {
    uid: uidOf(1),
    name: 'T-1',
  },
  driver: {
    uid: uidOf(601),
    name: 'Kit Moreno',
  },
  program: {
    uid: uidOf(602),
    name: 'Summer Tour',
  },
  client: {
    uid: uidOf(603),
    name: 'Zephyr Foods',
  },
  market: {
    uid: uidOf(604),
    name: 'Dallas',
  },
  startsAt: '2026-07-01T13:00:00.000Z',
  endsAt: '2026-07-01T21:00:00.000Z',
  status: 'planned',
  startedAt: null,
  stoppedAt: null,
  isLate: true,
  state: null,
  metres: null,
  plays: 0,
  ready: {
    artwork: true,
    clock: null,
    gps: false,
    player: true,
  },
}

export const anIssue: TruckIssue = {
  uid: uidOf(700),
  truck: {
    uid: uidOf(1),
    name: 'T-1',
  },
  shift: null,
  kind: 'screen',
  raisedBy: 'driver',
  text: 'Left side flickers',
  photo: null,
  status: 'open',
  note: '',
  openedAt: '2026-07-01T11:00:00.000Z',
  resolvedAt: null,
  updatedAt: '2026-07-01T11:00:00.000Z',
  version: 2,
}
