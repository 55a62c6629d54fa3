import { expect, test } from 'vitest'
import { keyInGroups, proofField } from './factor-rules.ts'

test('the password proves only for users without a second factor, as the server has it', () => {
  const [none, app, keys] = [
    { passkeys: [], codeApp: null },
    { passkeys: [], codeApp: {} },
    { passkeys: [{}], codeApp: null },
  ]
  expect([proofField(none, false), proofField(app, false), proofField(keys, false)]).toEqual([
    'password',
    'code',
    undefined,
  ])
  expect([proofField(app, true), proofField(keys, true)]).toEqual(['recoveryCode', 'recoveryCode'])
})

test('a key is read in groups of four', () => {
  expect(keyInGroups('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
})
