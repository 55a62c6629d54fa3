import { expect, test } from 'vitest'
import { readEndpoints, unknownNeeds } from './reads.ts'

test('the reader of the soak has a value for all that a call needs in its query', () => {
  const unknown = readEndpoints.map((endpoint) => [endpoint.path, ...unknownNeeds(endpoint)])
  expect(unknown.filter(([, ...names]) => names.length > 0)).toEqual([])
})
