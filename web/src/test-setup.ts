// It extends expect, and has nothing to name.
// oxlint-disable-next-line import/no-unassigned-import
import '@testing-library/jest-dom/vitest'
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import { afterAll, vi } from 'vitest'
import * as react from 'react'
import { contact } from './api/call.ts'
import { clearCookies } from './api/session.ts'

// Maps draw on a canvas, which these tests have not: simple lists stand for them.
vi.mock('./ui/map/PlaceMap.tsx', () => import('./ui/map/test-place-map.tsx'))
vi.mock('./ui/map/SpotMap.tsx', () => import('./ui/map/test-spot-map.tsx'))
vi.mock('./proof/replay/ReplayMap.tsx', () => import('./proof/replay/test-replay-map.tsx'))
vi.mock('./proof/reports/sd/ApproachMap.tsx', () => import('./proof/reports/sd/test-approach-map.tsx'))

// No server listens here. Mocks are forgotten after each file, while shared modules are loaded once: only this file
// mocks it for all of them.
const nothing = () => undefined
vi.mock('socket.io-client', () => ({ io: () => ({ on: nothing, disconnect: nothing }) }))

// Screens and forms are loaded when they are first shown, which takes a while on a busy machine.
configure({
  asyncUtilTimeout: 20_000,
  getElementError: (message, container) => {
    // A query that is tried again needs no picture of the page, which takes long: once its time is up, one is made.
    const isTriedAgain = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') === true
    const page = isTriedAgain ? '' : prettyDOM(container)
    return Object.assign(new Error([message, page].filter(Boolean).join('\n\n')), {
      name: 'TestingLibraryElementError',
    })
  },
})

// React keeps a stack for each of the first ten thousand elements in a second, for its warnings: an eighth of the time of
// these tests. A React without this counter only makes them slower.
const INTERNALS = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'
const internals: unknown = Reflect.get(react, INTERNALS)
if (internals instanceof Object) {
  const get = () => Infinity
  Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get, set: nothing, configurable: true })
}

// The next file runs in the same page: it begins with an empty one, signed out, with the usual clock.
afterAll(() => {
  cleanup()
  // A server that was away in this file would otherwise be away in the next one, and looked for by real calls.
  contact.heard()
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
