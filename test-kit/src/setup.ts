import { afterAll, vi } from 'vitest'

// The next file runs in the same process: a clock that was stopped here would stand still there too. Only at the end
// of a file, since some hold a spy for all of their tests.
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})
