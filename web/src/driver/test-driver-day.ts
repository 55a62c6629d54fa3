import type { DriverAct, DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import type { QueuedAct, QueuedPhoto } from './queue/items.ts'

export const NOW = Date.parse('2026-11-17T18:00:00Z')
const uid = (last: number) => `01900000-0000-7000-8000-${String(last).padStart(12, '0')}`

/** A shift of truck T-5 in Denver from 11 to 7, local time. */
export const someShift = (part: Partial<DriverAppShift> = {}): DriverAppShift => ({
  uid: uid(1),
  version: 1,
  status: 'planned',
  date: '2026-11-17',
  start: '11:00',
  end: '19:00',
  zone: 'America/Denver',
  startsAt: '2026-11-17T18:00:00.000Z',
  endsAt: '2026-11-18T02:00:00.000Z',
  opensAt: '2026-11-17T16:00:00.000Z',
  startedAt: null,
  stoppedAt: null,
  truck: { uid: uid(2), number: 'T-5', plate: 'WLM-4894', kind: 'led' },
  program: 'Bring a Friend',
  client: 'Pulse Fitness',
  market: 'Denver',
  yard: { name: 'Denver yard', latitude: 39.7, longitude: -104.9 },
  note: 'Park at the north gate.',
  stops: [],
  artwork: null,
  contacts: [{ name: 'Riley Okafor', role: 'Dispatch', phone: '(303) 555-0198' }],
  answer: null,
  inspection: null,
  issues: [],
  messages: [],
  askedTruck: null,
  ...part,
})

export const someDay = (shifts: DriverAppShift[] = [someShift()]): DriverDay => ({
  serverTime: new Date(NOW).toISOString(),
  driver: { uid: uid(3), name: 'Dana Brooks', language: null },
  shifts,
  inspectionItems: [
    { uid: uid(11), name: 'Tires', nameEs: 'Llantas' },
    { uid: uid(12), name: 'Lights', nameEs: 'Luces' },
  ],
})

const inQueue = (id: string) => ({
  id,
  userUid: uid(3),
  addedAt: NOW,
  state: 'waiting' as const,
  problem: null,
  reason: '',
  attempts: 0,
  nextAt: 0,
  sentAt: null,
  about: { shiftUid: uid(1), truckNumber: 'T-5', date: '2026-11-17' },
})

type ActPart = DriverAct extends infer A ? (A extends DriverAct ? Omit<A, 'actId' | 'at' | 'shiftUid'> : never) : never

export const someAct = (id: string, done: ActPart, part: Partial<QueuedAct> = {}): QueuedAct => {
  const item: QueuedAct = {
    ...inQueue(id),
    kind: 'act',
    act: { ...done, actId: id, at: new Date(NOW).toISOString(), shiftUid: uid(1) },
    pictures: [],
  }
  return { ...item, ...part }
}

export const somePhoto = (id: string, part: Partial<QueuedPhoto> = {}): QueuedPhoto => ({
  ...inQueue(id),
  kind: 'photo',
  pictureId: `picture of ${id}`,
  takenAt: NOW,
  place: null,
  side: null,
  caption: '',
  ...part,
})
