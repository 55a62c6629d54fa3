import { describe, expect, test } from 'vitest'
import { loopProblem } from './loop-capacity.ts'
import type { Daypart, LoopLine, LoopShare } from './loop-lines.ts'

interface Given {
  daypart?: Daypart
  addressUids?: string[]
}

const line = (share: LoopShare, seconds: number, { daypart, addressUids }: Given = {}): LoopLine => ({
  uid: `${seconds}`,
  spotMs: seconds * 1000,
  share,
  daypart: daypart ?? null,
  addressUids: addressUids ?? null,
})
const problem = (...lines: LoopLine[]) => loopProblem({ lines, restMs: 15_000, zone: 'America/Chicago', seed: '' })
const friday = { daypart: { from: '17:00', to: '21:30', weekdays: [5] } }
const nights = { daypart: { from: '22:00', to: '02:00', weekdays: [7] } }

describe('plays an hour', () => {
  test('that fill an hour fit', () => {
    expect(
      problem(line({ playsAnHour: 200 }, 8), line({ playsAnHour: 40 }, 30), line({ playsAnHour: 80 }, 10)),
    ).toBeNull()
    expect(problem(line({ weight: 1 }, 8), line({ playsAnHour: 119 }, 30))).toBeNull()
    expect(problem()).toBeNull()
  })

  test.each<[string, LoopLine[], string]>([
    [
      'at all hours',
      [line({ playsAnHour: 200 }, 15), line({ playsAnHour: 85 }, 30)],
      'Mon from 12:00 AM: the plays of an hour need 92.5 min of screen time, 32.5 min too much.',
    ],
    [
      'when two dayparts meet',
      [line({ playsAnHour: 60 }, 30, friday), line({ playsAnHour: 90 }, 30)],
      'Fri from 5:00 PM: the plays of an hour need 75 min of screen time, 15 min too much.',
    ],
    [
      'near an address',
      [line({ playsAnHour: 60 }, 30, { addressUids: ['shop'] }), line({ playsAnHour: 61 }, 30)],
      'Mon from 12:00 AM: the plays of an hour need 60.5 min of screen time, 0.5 min too much.',
    ],
    [
      'on Sunday night, which is Monday',
      [line({ playsAnHour: 61 }, 60, nights)],
      'Mon from 12:00 AM: the plays of an hour need 61 min of screen time, 1 min too much.',
    ],
    [
      'so that weights get nothing',
      [line({ playsAnHour: 120 }, 30, friday), line({ weight: 1 }, 10)],
      'Fri from 5:00 PM: the plays of an hour need 60 min of screen time and leave none for the lines with a weight.',
    ],
  ])('that do not fit %s are refused in words', (_, lines, expected) => expect(problem(...lines)).toBe(expected))
})
