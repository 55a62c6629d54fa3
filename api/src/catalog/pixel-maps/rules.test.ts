import { expect, test } from 'vitest'
import { pixelMapRemovalProblem } from './rules.ts'

test.each([
  ['a pixel map without trucks can be deleted', [], undefined],
  ['one truck is named', ['T-1'], 'This pixel map is still used by truck T-1. Choose another one for it first.'],
  [
    'several trucks are named',
    ['T-1', 'T-2'],
    'This pixel map is still used by trucks T-1 and T-2. Choose another one for them first.',
  ],
])('%s', (_, numbers, message) => expect(pixelMapRemovalProblem(numbers)?.message).toBe(message))
