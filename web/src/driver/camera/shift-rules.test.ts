import { expect, test } from 'vitest'
import { photoShifts } from './shift-rules.ts'
import type { PhotoShift } from './shift-rules.ts'

const HOUR = 3_600_000
const now = Date.parse('2026-11-17T18:00:00Z')
const at = (hours: number) => new Date(now + hours * HOUR).toISOString()

const shift = (uid: string, from: number, to: number, more: Partial<PhotoShift> = {}): PhotoShift => ({
  uid,
  status: 'planned',
  date: '2026-11-17',
  startsAt: at(from),
  endsAt: at(to),
  startedAt: null,
  stoppedAt: null,
  truck: { uid: 'truck', number: 'T-4', plate: '', kind: 'led' },
  program: 'Fall tour',
  ...more,
})
const chosen = (...shifts: PhotoShift[]) => {
  const { running, others } = photoShifts(shifts, now)
  return { running: running?.uid, others: others.map(({ uid }) => uid) }
}

test.each([
  [
    'photos go to the running shift, and the next one is a choice',
    [shift('runs', -2, 6, { status: 'out', startedAt: at(-2) }), shift('tomorrow', 20, 28)],
    { running: 'runs', others: ['tomorrow'] },
  ],
  [
    'without a running shift none is chosen by itself',
    [shift('next', 1, 9), shift('later', 24, 32)],
    { running: undefined, others: ['next'] },
  ],
  [
    'a shift that runs over keeps its photos',
    [shift('over', -10, -2, { status: 'out', startedAt: at(-10) }), shift('next', 1, 9)],
    { running: 'over', others: ['next'] },
  ],
  [
    'of two running shifts the last started one is chosen',
    [
      shift('first', -5, 1, { status: 'out', startedAt: at(-5) }),
      shift('second', -1, 5, { status: 'out', startedAt: at(-1) }),
    ],
    { running: 'second', others: ['first'] },
  ],
  [
    'a shift that was just stopped is still a choice, one of yesterday is not',
    [
      shift('yesterday', -30, -22, { status: 'completed', startedAt: at(-30), stoppedAt: at(-22) }),
      shift('stopped', -8, -1, { status: 'completed', startedAt: at(-8), stoppedAt: at(-1) }),
    ],
    { running: undefined, others: ['stopped'] },
  ],
  [
    'a canceled shift gets no photos',
    [
      shift('gone', 1, 9, { status: 'cancelled' }),
      shift('gone too', -1, 9, { status: 'cancelled', startedAt: at(-1) }),
    ],
    { running: undefined, others: [] },
  ],
])('%s', (_, shifts, expected) => {
  expect(chosen(...shifts)).toEqual(expected)
})
