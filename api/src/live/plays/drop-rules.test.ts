import { type DropCause, dropSentence, type FigureDrop } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { type CausingEntry, dropCauseOf, isLargeDrop } from './drop-rules.ts'

test.each([
  [10, 'plays', 2000, false],
  [11, 'plays', 2000, true],
  [1, 'plays', 100, false],
  [2, 'verified', 100, true],
  [11, 'verified', 1_000_000, true],
  [0, 'plays', 0, false],
  [-5, 'plays', 100, false],
  [360, 'seconds', 36_000, false],
  [361, 'seconds', 36_000, true],
  [5000, 'metres', 1_000_000, false],
] as const)('%d lost %s of %d: the office is notified: %s', (lost, figure, total, isLarge) => {
  expect(isLargeDrop(figure, lost, total)).toBe(isLarge)
})

const changed = (changes: CausingEntry['changes'], more: Partial<CausingEntry> = {}): CausingEntry => ({
  table: 'shift',
  action: 'changed',
  changes,
  ...more,
})

test.each<[DropCause, CausingEntry | null]>([
  ['data', null],
  ['start', changed({ start_time: ['20:00:00', '21:00:00'] })],
  ['end', changed({ stopped_at: ['2026-11-18T04:00:00Z', '2026-11-18T03:00:00Z'], times_reason: ['', 'Forgot'] })],
  ['stopped', changed({ stopped_at: [null, '2026-11-18T03:00:00Z'], status: ['out', 'completed'] })],
  ['times', changed({ started_at: ['a', 'b'], end_time: ['c', 'd'] })],
  ['canceled', changed({ status: ['planned', 'cancelled'], truck_uid: ['a', 'b'] })],
  ['otherTruck', changed({ truck_uid: ['a', 'b'], start_time: ['a', 'b'] })],
  ['deleted', changed({}, { action: 'deleted' })],
  ['added', changed({ start_time: [null, 'a'] }, { action: 'created' })],
  ['area', changed({ radius_m: [1, 2] }, { table: 'market' })],
])('a drop is explained by %s', (cause, entry) => {
  expect(dropCauseOf(entry)).toBe(cause)
})

const drop: FigureDrop = {
  localDate: '2026-11-17',
  market: 'Chicago',
  before: { plays: 1225, verified: 180, seconds: 14_400, metres: 0 },
  after: { plays: 1207, verified: 180, seconds: 14_400, metres: 0 },
  cause: 'start',
  by: 'Dana Brooks',
  truck: 'T-4',
  shift: null,
}

test.each<[Partial<FigureDrop>, string]>([
  [
    {},
    'Plays of Tue, Nov 17, 2026 in Chicago fell from 1,225 to 1,207 because Dana Brooks changed the start of T-4’s shift.',
  ],
  [
    { after: { ...drop.after, verified: 170 }, cause: 'canceled' },
    'Plays of Tue, Nov 17, 2026 in Chicago fell from 1,225 to 1,207 and verified plays fell from 180 to 170 because Dana Brooks canceled T-4’s shift.',
  ],
  [
    { after: { ...drop.before, verified: 170 }, cause: 'data', by: null },
    'Verified plays of Tue, Nov 17, 2026 in Chicago fell from 180 to 170 because of new data from the truck.',
  ],
  [
    {
      before: { ...drop.before, plays: 1207, metres: 16_093.44 },
      after: { ...drop.after, seconds: 12_600, metres: 8046.72 },
    },
    'Hours of Tue, Nov 17, 2026 in Chicago fell from 4 to 3.5 and miles fell from 10.0 to 5.0 because Dana Brooks changed the start of T-4’s shift.',
  ],
])('a drop reads as a sentence: %j', (more, sentence) => {
  expect(dropSentence({ ...drop, ...more })).toBe(sentence)
})
