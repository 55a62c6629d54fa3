// It extends expect, and has nothing to name.
// oxlint-disable-next-line import/no-unassigned-import
import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, vi } from 'vitest'
import { clearCookies } from './api/session.ts'

// Maps draw on a canvas, which these tests have not: simple lists stand for them.
vi.mock('./ui/map/PlaceMap.tsx', () => import('./ui/map/test-place-map.tsx'))
vi.mock('./ui/map/SpotMap.tsx', () => import('./ui/map/test-spot-map.tsx'))
vi.mock('./proof/reports/ApproachMap.tsx', () => import('./proof/reports/test-approach-map.tsx'))

// Screens and forms are loaded when they are first shown, which takes a while on a busy machine.
configure({ asyncUtilTimeout: 20_000 })

// The next file runs in the same page: it begins with an empty one, signed out, with the usual clock.
afterAll(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
  clearCookies()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  document.body.replaceChildren()
})
