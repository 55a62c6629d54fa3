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
  const stopping = new Shutdown({ started: () => started, log: (error) => done.push(String(error)) })
  stopping.announceBy(note('announced'), drainMs)
  stopping.needed(note('database'))
  stopping.needed(note('calls'))
  stopping.work(note('poller'))
  stopping.hurryBy(note('hurried'))
  return stopping
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
    const stopping = running(0)
    stopping.work(() => Promise.reject(new Error('no')))
    stopping.onSignal()
    await vi.advanceTimersByTimeAsync(0)
    expect(done).toEqual(['announced', 'poller', 'Error: no', 'calls', 'database'])
    expect(exit.mock.calls).toEqual([[0]])
  })

  test('ends at once when it is told again, but not when the same signal comes by two ways', async () => {
    const stopping = running()
    stopping.onSignal()
    await vi.advanceTimersByTimeAsync(200)
    stopping.onSignal()
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1000)
    stopping.onSignal()
    expect(done.at(-1)).toBe('hurried')
    expect(exit.mock.calls).toEqual([[1]])
  })

  test('does not wait for ever', async () => {
    const stopping = running()
    stopping.needed(() => new Promise(() => {}))
    stopping.onSignal()
    await vi.advanceTimersByTimeAsync(64_999)
    expect(exit).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(exit.mock.calls).toEqual([[1]])
  })

  test('waits for what is half started, and for nobody to turn away when it never was', async () => {
    const failed = Promise.reject(new Error('no database'))
    failed.catch(() => {})
    await running(5000, failed).stop()
    expect(done).toEqual(['announced', 'poller', 'calls', 'database'])
  })
})
