import { describe, expect, test } from 'vitest'
import { type Activity, askableTimes, seenTime, type ShiftTimeFacts } from './rules.ts'

const MINUTE = 60_000
/** Minutes from the planned start of the shift, which lasts eight hours. */
const at = (minutes: number) => Date.parse('2026-07-01T20:00:00Z') + minutes * MINUTE
const NOW = at(24 * 60)

/** Started 50 minutes late and stopped 20 minutes early, both by the driver. */
const shift = (given: Partial<ShiftTimeFacts> = {}): ShiftTimeFacts => ({
  status: 'completed',
  startsAt: at(0),
  endsAt: at(480),
  startedAt: at(50),
  stoppedAt: at(460),
  isStartCorrected: false,
  isStopCorrected: false,
  startsCountFrom: null,
  isPayLocked: false,
  answers: [],
  heldByOthers: [],
  ...given,
})
const drove = (from: number, to: number): Activity => ({ from: at(from), to: at(to), seenBy: 'wheels' })
const played = (from: number, to: number): Activity => ({ from: at(from), to: at(to), seenBy: 'plays' })

/** The questions in short: `start 10 wheels` for wheels that turned from ten minutes after the planned start. */
const asked = (facts: ShiftTimeFacts, activity: readonly Activity[], now = NOW) =>
  askableTimes(facts, now).flatMap((time) => {
    const seen = seenTime(time, activity, now)
    return seen ? [`${seen.kind} ${(seen.at - at(0)) / MINUTE} ${seen.seenBy}`] : []
  })

describe('a start or stop that the truck contradicts', () => {
  const early = [drove(10, 40)]
  const both = [drove(10, 40), drove(465, 500)]
  test.each<[string, string[], Partial<ShiftTimeFacts>, Activity[]]>([
    ['wheels before the start', ['start 10 wheels'], {}, early],
    ['screens before the start', ['start 5 plays'], {}, [played(5, 6), ...early]],
    ['wheels that go on after the stop', ['stop 500 wheels'], {}, [drove(465, 500)]],
    ['screens that go on longer than the wheels', ['stop 510 plays'], {}, [drove(465, 500), played(480, 510)]],
    ['both', ['start 10 wheels', 'stop 500 wheels'], {}, both],
    ['neither', [], {}, []],
    ['exactly ten minutes', [], {}, [drove(40, 50), drove(460, 470)]],
    ['more than ten minutes', ['start 39 wheels', 'stop 471 wheels'], {}, [drove(39, 50), drove(460, 471)]],
    ['more than two hours before the start', ['start -70 wheels'], {}, [drove(-200, -60)]],
    ['only long before the start', [], {}, [drove(-200, -100)]],
    ['before a shift may start', ['start -120 wheels'], { startedAt: at(-60) }, [drove(-150, -90)]],
    ['before the shift was planned again', ['start 20 wheels'], { startsCountFrom: at(20) }, early],
    ['the shift before', ['start 20 wheels'], { heldByOthers: [{ from: at(-300), to: at(20) }] }, early],
    ['the shift after', ['stop 480 wheels'], { heldByOthers: [{ from: at(480), to: at(900) }] }, [drove(465, 700)]],
    ['after a rest of an hour', ['stop 500 wheels'], {}, [drove(465, 500), drove(561, 600)]],
    ['after a shorter rest', ['stop 600 wheels'], {}, [drove(465, 500), drove(559, 600)]],
    ['still out', ['start 10 wheels'], { status: 'out', stoppedAt: null }, both],
    ['never started', [], { status: 'planned', startedAt: null, stoppedAt: null }, both],
    ['completed without a start', [], { startedAt: null }, both],
    ['canceled', [], { status: 'cancelled' }, both],
    ['no-show', [], { status: 'noShow' }, both],
    ['locked pay', [], { isPayLocked: true }, both],
    ['a start that staff corrected', ['stop 500 wheels'], { isStartCorrected: true }, both],
    ['a stop that staff corrected', ['start 10 wheels'], { isStopCorrected: true }, both],
  ])('%s: %j', (_, expected, given, activity) => {
    expect(asked(shift(given), activity)).toEqual(expected)
  })

  test('is asked about once, whatever the answer was and whatever arrives later', () => {
    const answer = { kind: 'start' as const, about: at(50), seenAt: at(10) }
    const later = [drove(0, 5), ...both]
    // Kept, or corrected while the pay was locked.
    expect(asked(shift({ answers: [answer] }), later)).toEqual(['stop 500 wheels'])
    // Corrected to the time that was seen.
    expect(asked(shift({ answers: [answer], startedAt: at(10) }), [drove(-5, 5)])).toEqual([])
    // Another start, after the shift was planned again.
    expect(asked(shift({ answers: [answer], startedAt: at(60) }), early)).toEqual(['start 10 wheels'])
  })

  test('waits until a truck that goes on after the stop rests', () => {
    const goesOn = [drove(465, 500)]
    expect(asked(shift(), goesOn, at(505))).toEqual([])
    expect(asked(shift(), goesOn, at(511))).toEqual(['stop 500 wheels'])
  })

  test('is the same for the same data shuffled and twice', () => {
    const parts = [played(12, 13), drove(10, 30), played(10, 11), drove(461, 480), played(479, 520), drove(515, 520)]
    const expected = asked(shift(), parts)
    expect(expected).toEqual(['start 10 plays', 'stop 520 plays'])
    for (let turn = 1; turn <= parts.length; turn++) {
      const turned = [...parts.slice(turn), ...parts.slice(0, turn)]
      expect(asked(shift(), [...turned, ...turned.toReversed()])).toEqual(expected)
    }
  })
})
