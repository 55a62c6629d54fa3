import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Shutdown } from './shutdown.ts'

const exit = vi.spyOn(process, 'exit').mockImplementation((() => undefined) as never)
const done: string[] = []
const note = (what: string) => () => void done.push(what)

beforeEach(() => {
  vi.useFakeTimers()
  exit.mockClear()
  done.length = 0
})
afterEach(() => void vi.useRealTimers())

function running(drainMs = 5000, started = Promise.resolve()) {
  const shutdown = new Shutdown({ started: () => started, log: (error) => done.push(String(error)) })
  shutdown.drain(note('announced'), drainMs)
  shutdown.closeLast(note('database'))
  shutdown.closeLast(note('calls'))
  shutdown.stopFirst(note('poller'))
  shutdown.onForcedExit(note('hurried'))
  return shutdown
}

describe('a node that is told to stop', () => {
  test('says so and hands its work over at once, waits, and then lets go of the rest, last first', async () => {
    running().onSignal()
    await vi.advanceTimersByTimeAsync(4999)
    expect(done).toEqual(['announced', 'poller'])
    await vi.advanceTimersByTimeAsync(1)
    expect(done).toEqual(['announced', 'poller', 'calls', 'database'])
    expect(exit.mock.calls).toEqual([[0]])
  })

  test('goes on when a part of it fails', async () => {
    const shutdown = running(0)
    shutdown.stopFirst(() => Promise.reject(new Error('no')))
    shutdown.onSignal()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual(['announced', 'poller', 'Error: no', 'calls', 'database'])
    expect(exit.mock.calls).toEqual([[0]])
  })

  test('ends at once when it is told again, but not when the same signal comes by two ways', async () => {
    const shutdown = running()
    shutdown.onSignal()
    await vi.advanceTimersByTimeAsync(200)
    shutdown.onSignal()
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    shutdown.onSignal()
    expect(done.at(-1)).toBe('hurried')
    expect(exit.mock.calls).toEqual([[1]])
  })

  test('does not wait for ever', async () => {
    const shutdown = running()
    shutdown.closeLast(() => new Promise(() => {}))
    shutdown.onSignal()
    await vi.advanceTimersByTimeAsync(64_999)
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(exit.mock.calls).toEqual([[1]])
  })

  test('waits for what is half started, and for no one to turn away when it never was', async () => {
    const failed = Promise.reject(new Error('no database'))
    failed.catch(() => {})
    await running(5000, failed).stop()
    expect(done).toEqual(['announced', 'poller', 'calls', 'database'])
  })
})
