import { oldOverview } from '@roadshow/contract/legacy'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createQueryClient } from '../api/queryClient.ts'
import { useLiveRefresh } from './useLiveRefresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('an old list is asked for again once after several messages, now and then without any, and not after it was left', () => {
  const queries = createQueryClient()
  const asked = vi.spyOn(queries, 'invalidateQueries').mockResolvedValue()
  const listeners = new Set<() => void>()
  const signal = (listen: () => void) => {
    listeners.add(listen)
    return () => void listeners.delete(listen)
  }
  const tell = () => listeners.forEach((listen) => listen())
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  )
  const { unmount } = renderHook(() => useLiveRefresh(oldOverview.shifts, signal), { wrapper })
  act(() => {
    tell()
    tell()
    vi.advanceTimersByTime(1_000)
  })
  expect(asked.mock.calls).toEqual([[{ queryKey: ['old-overview'] }]])
  act(() => void vi.advanceTimersByTime(30_000))
  expect(asked).toHaveBeenCalledTimes(2)
  tell()
  unmount()
  vi.advanceTimersByTime(60_000)
  expect(asked).toHaveBeenCalledTimes(2)
  expect(listeners.size).toBe(0)
})
