import { expect, test } from 'vitest'
import { type ConditionFacts, evaluate, type Verdict } from './rules.ts'

const MINUTE = 60_000
const now = Date.parse('2026-07-01T15:00:00Z')
const ago = (minutes: number) => now - minutes * MINUTE

const heldFor = (minutes: number) => ({ watched: { since: ago(minutes), goneSince: null }, holds: true })
const goneFor = (minutes: number) => ({ watched: { since: ago(60), goneSince: ago(minutes) }, holds: false })
const unseen = { watched: undefined }
const [isRaised, isNot] = [{ isRaised: true }, { isRaised: false }]
/** Raised after ten minutes, resolved after three; and both at once. */
const patient = { raiseAfterMs: 10 * MINUTE, resolveAfterMs: 3 * MINUTE, now }
const prompt = { raiseAfterMs: 0, resolveAfterMs: 0, now }

test.each<[Verdict, string, ConditionFacts]>([
  ['wait', 'seen for the first time', { ...patient, ...unseen, holds: true, ...isNot }],
  ['raise', 'seen for the first time, and needs no time', { ...prompt, ...unseen, holds: true, ...isNot }],
  ['wait', 'holds for less than its time', { ...patient, ...heldFor(9.9), ...isNot }],
  ['raise', 'holds for its time', { ...patient, ...heldFor(10), ...isNot }],
  ['raise', 'resolved by a person although it holds', { ...patient, ...heldFor(60), ...isNot }],
  ['raise', 'back after a person resolved it', { ...patient, ...goneFor(1), holds: true, ...isNot }],
  ['keep', 'holds and is raised', { ...patient, ...heldFor(20), ...isRaised }],
  ['keep', 'raised by another node before this one saw it', { ...patient, ...unseen, holds: true, ...isRaised }],
  ['keep', 'back after it was gone', { ...patient, ...goneFor(3), holds: true, ...isRaised }],
  ['keep', 'raised and just gone', { ...patient, ...heldFor(20), holds: false, ...isRaised }],
  ['keep', 'reopened by a person although it is gone', { ...patient, ...unseen, holds: false, ...isRaised }],
  ['keep', 'raised and gone for a moment', { ...patient, ...goneFor(2.9), ...isRaised }],
  ['resolve', 'raised and gone for its time', { ...patient, ...goneFor(3), ...isRaised }],
  ['resolve', 'raised and just gone, and needs no time', { ...prompt, ...heldFor(20), holds: false, ...isRaised }],
  ['forget', 'gone before it was raised', { ...patient, ...heldFor(5), holds: false, ...isNot }],
  ['forget', 'resolved by a person after it was gone', { ...patient, ...goneFor(1), ...isNot }],
])('%s: %s', (verdict, _, facts) => expect(evaluate(facts)).toBe(verdict))
