import { expect, test } from 'vitest'
import { keyProblems } from './rules.ts'

test.each([
  ['one of several modules', ['pop'], ['pop', 'users'], {}],
  ['all of them', ['pop', 'users'], ['pop', 'users'], {}],
  ['a module that the maker lacks', ['pop', 'payroll'], ['pop', 'users'], { modules: expect.any(String) }],
] as const)('a key with %s', (_, modules, held, problems) => {
  expect(keyProblems({ modules }, { modules: held })).toEqual(problems)
})
