import { describe, expect, test } from 'vitest'
import { clientRemovalProblem, newLogo } from './rules.ts'

describe('deleting a client', () => {
  test('a client without open programs can be deleted', () => expect(clientRemovalProblem([])).toBeUndefined())

  test('open programs are named', () =>
    expect(clientRemovalProblem(['Spring', 'Summer'])).toMatchObject({
      code: 'stillNeeded',
      message: 'This client has programs that are not completed: Spring and Summer. Complete or delete them first.',
    }))
})

describe('the logo to claim', () => {
  test.each([
    ['no logo', null, null, undefined],
    ['a first logo', 'new', null, 'new'],
    ['another logo', 'new', { uid: 'old' }, 'new'],
    ['the same logo', 'old', { uid: 'old' }, undefined],
    ['a removed logo', null, { uid: 'old' }, undefined],
  ])('%s', (_, logoFileUid, current, claimed) => expect(newLogo(logoFileUid, current)).toBe(claimed))
})
