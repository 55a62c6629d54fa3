import type { ProgramStatus } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { programProblems } from './rules.ts'

const program = (status: ProgramStatus, clientUid = 'acme') => ({ status, clientUid })

describe('changing a program', () => {
  test.each([
    ['a new program is a draft', program('draft'), undefined, {}],
    ['a draft becomes active', program('active'), program('draft'), {}],
    ['an active program pauses', program('paused'), program('active'), {}],
    ['a program may stay as it is', program('completed'), program('completed'), {}],
    ['a draft can be moved to another client', program('draft', 'other'), program('draft'), {}],
    [
      'a running program stays with its client',
      program('active', 'other'),
      program('active'),
      { clientUid: 'Only a draft can be moved to another client.' },
    ],
  ])('%s', (_, input, current, problems) => expect(programProblems(input, current)).toEqual(problems))

  test('a program that runs does not become a draft again', () =>
    expect(programProblems(program('draft'), program('active')).status).toMatch(/^This program can only be .*paused/))

  test('a new program does not start completed', () =>
    expect(programProblems(program('completed')).status).toMatch(/^A new program can only be draft/))
})
