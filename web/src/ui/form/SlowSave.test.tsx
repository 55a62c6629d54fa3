import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SlowSave } from './SlowSave.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const WAITS = 'Still saving. Waiting for the server’s answer.'
const pass = (ms: number) => {
  act(() => {
    vi.advanceTimersByTime(ms)
  })
}

test('a save without an answer says after three seconds that it waits, and is quiet again with the answer', () => {
  const { rerender } = render(<SlowSave isBusy />)
  pass(2900)
  expect(screen.queryByText(WAITS)).toBeNull()
  pass(200)
  expect(screen.getByText(WAITS)).toBeInTheDocument()
  rerender(<SlowSave isBusy={false} />)
  expect(screen.queryByText(WAITS)).toBeNull()
  rerender(<SlowSave isBusy />)
  pass(1000)
  rerender(<SlowSave isBusy={false} />)
  pass(5000)
  expect(screen.queryByText(WAITS)).toBeNull()
})
