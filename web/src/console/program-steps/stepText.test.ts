import type { ProgramSteps } from '@roadshow/contract/console/program-steps'
import { expect, test } from 'vitest'
import { stepsOf } from './stepText.ts'

const program = { uid: 'p', startsOn: '2026-12-07' }
const [dallas, denver] = [
  { uid: 'm1', name: 'Dallas', shifts: 0 },
  { uid: 'm2', name: 'Denver', shifts: 0 },
]
const bare: ProgramSteps = {
  artwork: { sets: 0, approved: 0, draft: null },
  addressSets: 0,
  markets: [],
  pop: { shownVersion: null, hasCompletedShifts: false },
}
const shown = (found: Partial<ProgramSteps>) =>
  stepsOf(program, { ...bare, ...found }).map(({ name, state, text }) => `${name}: ${text} (${state})`)
const placeOf = (found: Partial<ProgramSteps>, index: number) => {
  const step = stepsOf(program, { ...bare, ...found })[index]
  return [step?.to, step?.search]
}

test('a program without anything says what is missing, and leads to it', () => {
  expect(shown({})).toEqual([
    'Artwork: No artwork (missing)',
    'SD addresses: None (optional) (later)',
    'Schedule: No markets (missing)',
    'POP: After the first shift (later)',
  ])
  expect(placeOf({}, 0)).toEqual(['/artworks', { program: 'p', open: 'new' }])
  expect(placeOf({}, 2)).toEqual(['/client-programs', { open: 'p', tab: 'Markets' }])
})

test('a set without approval and markets without shifts are named', () => {
  const found = {
    artwork: { sets: 1, approved: 0, draft: 's' },
    markets: [{ ...dallas, shifts: 4 }, denver, { ...denver, uid: 'm3', name: 'Austin' }],
    pop: { shownVersion: null, hasCompletedShifts: true },
  }
  expect(shown(found)).toEqual([
    'Artwork: No approved artwork (missing)',
    'SD addresses: None (optional) (later)',
    'Schedule: No shifts in Denver, Austin (missing)',
    'POP: Not published (missing)',
  ])
  expect(placeOf(found, 0)).toEqual(['/artworks', { program: 'p', open: 's' }])
  const plan = { program: 'p', market: 'm2', date: '2026-12-07', onDay: '2026-12-07', open: 'new' }
  expect(placeOf(found, 2)).toEqual(['/schedule/program-schedule', plan])
})

test('what is there is counted', () => {
  expect(
    shown({
      artwork: { sets: 2, approved: 1, draft: null },
      addressSets: 2,
      markets: [{ ...dallas, shifts: 1 }],
      pop: { shownVersion: 3, hasCompletedShifts: true },
    }),
  ).toEqual([
    'Artwork: 1 approved set (done)',
    'SD addresses: 2 sets (done)',
    'Schedule: 1 shift (done)',
    'POP: Version 3 published (done)',
  ])
})
