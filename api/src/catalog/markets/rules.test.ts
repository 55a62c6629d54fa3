import { expect, test } from 'vitest'
import { marketRemovalProblem } from './rules.ts'

test.each([
  ['a market that nothing uses can be deleted', [], [], undefined],
  ['a home market names its trucks', ['T-1', 'T-2'], [], 'This market is still used by truck T-1 and truck T-2.'],
  ['a market names the programs that run in it', [], ['Spring'], 'This market is still used by program Spring.'],
  ['trucks come before programs', ['T-1'], ['Spring'], 'This market is still used by truck T-1 and program Spring.'],
])('%s', (_, trucks, programs, message) => expect(marketRemovalProblem({ trucks, programs })?.message).toBe(message))
