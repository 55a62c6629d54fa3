import { greetingSteps, type SetupKey, setupKeys } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { greetingOf, isUnfinished, type SetupFacts, setupOf, setupRows } from './setup-rules.ts'

const nothing: SetupFacts = {
  hasCompanyName: false,
  markets: 0,
  marketsWithArea: 0,
  trucks: 0,
  ledTrucks: 0,
  drivers: 0,
  clients: 0,
  programs: 0,
  approvedSets: 0,
  draftSets: 0,
  hasTracker: false,
  trackedTrucks: 0,
  unknownTrackers: 0,
  trackerProblem: null,
  position: null,
  pairedScreens: 0,
  screenSeenAt: null,
  hasMailServer: false,
  mailSentAt: null,
  mailProblem: null,
  hasSecondFactor: false,
  shifts: 0,
  nextShiftAt: null,
  hasPlays: false,
  playedAt: null,
  approvedPhotos: 0,
  waitingPhotos: 0,
  publishedPops: 0,
}
const at = '2026-11-19T08:00:00.000Z'

const cases: [SetupKey, Partial<SetupFacts>, string, string, string?][] = [
  ['company', {}, 'open', 'No name yet'],
  ['company', { hasCompanyName: true }, 'done', 'The company has a name'],
  ['markets', {}, 'open', 'No market yet'],
  ['markets', { markets: 3, marketsWithArea: 1 }, 'waiting', '3 markets, 2 without an area'],
  ['markets', { markets: 1, marketsWithArea: 1 }, 'done', '1 market'],
  ['trucks', { trucks: 2 }, 'done', '2 trucks'],
  ['drivers', { drivers: 1 }, 'done', '1 driver'],
  ['clients', {}, 'open', 'No client yet'],
  ['program', { programs: 1 }, 'done', '1 program'],
  ['artwork', {}, 'open', 'No artwork yet'],
  ['artwork', { draftSets: 2 }, 'waiting', '2 sets to approve'],
  ['artwork', { draftSets: 2, approvedSets: 1 }, 'done', '1 approved set'],
  ['tracker', {}, 'open', 'No tracker connected yet'],
  ['tracker', { hasTracker: true }, 'waiting', 'The tracker is connected, and no truck has its device yet'],
  ['tracker', { hasTracker: true, trackedTrucks: 1 }, 'waiting', '1 truck connected, no position yet'],
  [
    'tracker',
    { hasTracker: true, trackedTrucks: 1, unknownTrackers: 2, trackerProblem: 'No such key.' },
    'waiting',
    'Positions arrive for 2 ids that no truck has: give them to their trucks',
  ],
  [
    'tracker',
    { hasTracker: true, trackedTrucks: 1, trackerProblem: 'The latitude must be a number.' },
    'waiting',
    'The last positions were refused: The latitude must be a number.',
  ],
  ['tracker', { position: { at, truck: 'T-1' } }, 'done', 'Last position of T-1', at],
  ['screens', { ledTrucks: 2 }, 'open', '2 LED trucks, no screen paired yet'],
  ['screens', { pairedScreens: 1, screenSeenAt: at }, 'done', '1 screen paired', at],
  ['mail', { mailSentAt: at }, 'open', 'No mail server: emails are written to files of the server. Set SMTP_URL.'],
  ['mail', { hasMailServer: true }, 'open', 'No email sent yet'],
  ['mail', { hasMailServer: true, mailSentAt: at }, 'done', 'Last email delivered', at],
  [
    'mail',
    { hasMailServer: true, mailSentAt: at, mailProblem: 'refused' },
    'waiting',
    'The last email could not be delivered: refused',
  ],
  ['secondFactor', {}, 'open', 'Your account has only a password'],
  ['secondFactor', { hasSecondFactor: true }, 'done', 'Your account has a second factor'],
  ['shift', { shifts: 1, nextShiftAt: at }, 'done', 'The next shift is planned'],
  ['play', { shifts: 1 }, 'open', 'No play yet'],
  ['play', { shifts: 1, pairedScreens: 1 }, 'waiting', 'No play yet: the screen plays when its shift begins'],
  ['play', { hasPlays: true, playedAt: at }, 'done', 'Plays arrive', at],
  ['photo', { waitingPhotos: 1 }, 'waiting', '1 photo to approve'],
  ['photo', { approvedPhotos: 3, waitingPhotos: 1 }, 'done', '3 approved photos'],
  ['pop', { publishedPops: 1 }, 'done', '1 published page'],
]

describe('a line of the list', () => {
  test.each(cases)('%s with %o is %s: %s', (key, facts, state, text, moment) => {
    const row = setupRows({ ...nothing, ...facts }).find((each) => each.key === key)
    expect(row).toEqual({ key, state, text, at: moment ?? null })
  })
  test('an empty company lacks everything', () => {
    const { done, total, rows } = setupOf(nothing, { startedAt: at, passedSteps: [], dismissedAt: null })
    expect([done, total]).toEqual([0, setupKeys.length])
    expect(rows.map(({ key }) => key)).toEqual(setupKeys)
  })
})

const notes = { startedAt: at, passedSteps: [] as string[], dismissedAt: null as string | null }
describe('the greeting', () => {
  test('goes on with the first step that is left', () => {
    expect(greetingOf(notes)).toBe('company')
    expect(greetingOf({ ...notes, passedSteps: ['company', 'pay'] })).toBe('markets')
    expect(greetingOf({ ...notes, passedSteps: greetingSteps })).toBeNull()
  })
  test('is not for companies that worked before', () => expect(greetingOf({ ...notes, startedAt: null })).toBeNull())
})

test.each([
  ['a new company', 0, notes, true],
  ['after the first published proof', 1, notes, false],
  ['put away', 0, { ...notes, dismissedAt: at }, false],
  ['a company that worked before', 0, { ...notes, startedAt: null }, false],
])('the list of %s', (_, publishedPops, given, expected) =>
  expect(isUnfinished({ publishedPops }, given)).toBe(expected),
)
