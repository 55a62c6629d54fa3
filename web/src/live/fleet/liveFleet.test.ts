import { expect, test, vi } from 'vitest'
import { LiveFleetStore } from './liveFleet.ts'
import { aTruck } from './test-overview.ts'

const frames: (() => void)[] = []
vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw))
const nextFrame = () => frames.splice(0).forEach((draw) => draw())
const at = (minute: number) => new Date(Date.UTC(2026, 6, 1, 12, minute)).toISOString()

test('is shown in the order in which people count, once all of it is known', () => {
  const fleet = new LiveFleetStore()
  fleet.update([aTruck(10)])
  nextFrame()
  expect(fleet.trucks()).toBeUndefined()
  fleet.replace([aTruck(10), aTruck(2)])
  nextFrame()
  expect(fleet.trucks()?.map(({ number }) => number)).toEqual(['T-2', 'T-10'])
})

test('shows whatever arrives between two frames at once', () => {
  const fleet = new LiveFleetStore()
  const told = vi.fn<() => void>()
  fleet.subscribe(told)
  fleet.replace([aTruck(1), aTruck(2)])
  for (let step = 0; step < 50; step += 1) fleet.update([aTruck(1, { speedKmh: step })])
  expect(told).not.toHaveBeenCalled()
  nextFrame()
  expect(told).toHaveBeenCalledTimes(1)
  expect(fleet.trucks()?.[0]?.speedKmh).toBe(49)
})

test('keeps the newest position of a truck, whatever the order of messages', () => {
  const fleet = new LiveFleetStore()
  fleet.replace([aTruck(1, { positionAt: at(1) })])
  fleet.update([aTruck(1, { positionAt: at(3), latitude: 33 })])
  fleet.update([aTruck(1, { positionAt: at(2), latitude: 32 })])
  fleet.replace([aTruck(1, { positionAt: at(1), latitude: 31 })])
  nextFrame()
  expect(fleet.trucks()?.[0]?.latitude).toBe(33)
  // A state may change by waiting: with the same position the newest message counts.
  fleet.update([aTruck(1, { positionAt: at(3), latitude: 33, state: 'silent' })])
  nextFrame()
  expect(fleet.trucks()?.[0]?.state).toBe('silent')
})

test('forgets trucks that are not there any more', () => {
  const fleet = new LiveFleetStore()
  fleet.replace([aTruck(1), aTruck(2)])
  fleet.replace([aTruck(2)])
  nextFrame()
  expect(fleet.trucks()?.map(({ number }) => number)).toEqual(['T-2'])
})

test('loses a truck as soon as the server says that the user no longer sees it', () => {
  const fleet = new LiveFleetStore()
  fleet.replace([aTruck(1), aTruck(2)])
  fleet.remove([aTruck(1).uid])
  nextFrame()
  expect(fleet.trucks()?.map(({ number }) => number)).toEqual(['T-2'])
})
