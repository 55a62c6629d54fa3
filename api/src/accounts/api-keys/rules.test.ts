import { expect, test } from 'vitest'
import { keyProblems, reachOfKey } from './rules.ts'

test.each([
  ['one of several modules', ['pop'], ['pop', 'users'], {}],
  ['all of them', ['pop', 'users'], ['pop', 'users'], {}],
  ['a module that the maker lacks', ['pop', 'payroll'], ['pop', 'users'], { modules: expect.any(String) }],
] as const)('a key with %s', (_, modules, held, problems) => {
  expect(keyProblems({ modules }, { modules: held })).toEqual(problems)
})

test('what a key may do is said in words', () => {
  expect(reachOfKey({ access: 'read', modules: ['pop'], client: null })).toBe('Reads · POP · all clients')
  const client = { uid: '01900000-0000-7000-8000-000000000000', name: 'Acme' }
  expect(reachOfKey({ access: 'write', modules: ['pop', 'clients'], client })).toBe(
    'Reads and writes · POP, Clients · only Acme',
  )
})
