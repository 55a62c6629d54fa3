import { describe, expect, test } from 'vitest'
import type { Loop } from './loop-lines.ts'
import { plannedHours, plannedShares } from './loop-plan.ts'
import { toLoopLine } from './rotation-lines.ts'

const HOUR = 3_600_000
const line = {
  share: 'weight',
  amount: 1,
  from: null,
  to: null,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  spotMs: 15_000,
} as const
const loopOf = (lines: Loop['lines']): Loop => ({ lines, restMs: 15_000, zone: 'America/Chicago', seed: 'seed' })
const whole = loopOf([
  toLoopLine({ ...line, uid: 'dinner', amount: 3 }),
  toLoopLine({ ...line, uid: 'breakfast', from: '06:00', to: '10:00', weekdays: [1, 2, 3, 4, 5] }),
  toLoopLine({ ...line, uid: 'news', share: 'playsAnHour', amount: 24 }),
])
const playsOf = (loop: Loop, from: string, to: string) =>
  plannedHours(loop, { from: Date.parse(from), to: Date.parse(to) }).map(({ turns }) =>
    Object.fromEntries([...plannedShares(turns)].map(([uid, { plays }]) => [uid, plays])),
  )

describe('a plan by the hour', () => {
  test('has what each line gets of each clock hour, in its hours only', () => {
    // Thursday from 5:00 AM to 7:00 AM: 240 spots an hour.
    const hours = playsOf(whole, '2026-11-19T11:00:00Z', '2026-11-19T13:00:00Z')
    expect(hours).toEqual([
      { dinner: 216, news: 24 },
      { dinner: 162, breakfast: 54, news: 24 },
    ])
    // Not on a Saturday.
    expect(playsOf(whole, '2026-11-21T12:00:00Z', '2026-11-21T13:00:00Z')).toEqual([{ dinner: 216, news: 24 }])
  })

  test('has part of an hour where the screen begins within it, and no moment twice', () => {
    const [from, to] = [Date.parse('2026-11-19T11:40:00Z'), Date.parse('2026-11-19T13:10:00Z')]
    const hours = plannedHours(whole, { from, to })
    expect(hours.map((hour) => (hour.to - hour.from) / 60_000)).toEqual([20, 60, 10])
    const turns = hours.flatMap((hour) => hour.turns)
    expect(turns.every(({ startsAt }, index) => startsAt === (turns[index - 1]?.endsAt ?? from))).toBe(true)
    expect(hours.every((hour) => hour.turns.every(({ startsAt }) => startsAt >= hour.from && startsAt < hour.to))).toBe(
      true,
    )
  })

  test.each([
    ['in March', '2026-03-08T06:00:00Z', 23],
    ['in November', '2026-11-01T05:00:00Z', 25],
  ])('has every hour of the night on which clocks change %s', (_, midnight, hours) => {
    const from = Date.parse(midnight)
    const found = plannedHours(whole, { from, to: from + hours * HOUR })
    expect(found).toHaveLength(hours)
    expect(plannedShares(found.flatMap(({ turns }) => turns)).get('news')?.plays).toBe(24 * hours)
  })

  test('tells the rest apart', () => {
    const loop = loopOf([toLoopLine({ ...line, uid: 'news', share: 'playsAnHour', amount: 60 })])
    const [hour] = plannedHours(loop, {
      from: Date.parse('2026-11-19T11:00:00Z'),
      to: Date.parse('2026-11-19T12:00:00Z'),
    })
    const shares = plannedShares(hour?.turns ?? [])
    expect([shares.get('news'), shares.get(null)?.ms]).toEqual([{ plays: 60, ms: HOUR / 4 }, (HOUR * 3) / 4])
  })
})
