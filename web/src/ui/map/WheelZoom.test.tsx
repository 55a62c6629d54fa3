import { cleanup, render } from '@testing-library/react'
import type L from 'leaflet'
import { useEffect } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LeafletContainer, useMap } from './leafletContext.tsx'
import { WheelZoom } from './WheelZoom.tsx'

const options: L.MapOptions = { center: [37.9, -95], zoom: 3, scrollWheelZoom: false }
const onPassed = vi.fn<() => void>()
let map: L.Map | undefined
const Layer = () => {
  const own = useMap()
  useEffect(() => void (map = own), [own])
  return <WheelZoom onPassed={onPassed} />
}

beforeEach(() => {
  // Leaflet zooms a moment after the turn, when the map of the test is gone.
  vi.useFakeTimers()
  onPassed.mockClear()
  render(
    <LeafletContainer options={options} className="map">
      <Layer />
    </LeafletContainer>,
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** Whether the map would take this turn of the wheel. */
function turn(keys: { ctrlKey?: true; metaKey?: true } = {}): boolean | undefined {
  const event = new WheelEvent('wheel', { deltaY: 100, bubbles: true, cancelable: true })
  for (const [key, value] of Object.entries(keys)) Object.defineProperty(event, key, { value })
  map?.getContainer().dispatchEvent(event)
  return map?.scrollWheelZoom.enabled()
}

test('the wheel over a map scrolls the page, and says how to zoom', () => {
  expect(turn()).toBe(false)
  expect(onPassed).toHaveBeenCalledTimes(1)
})

test('with Ctrl or the command key it zooms the map', () => {
  expect(turn({ ctrlKey: true })).toBe(true)
  expect(turn()).toBe(false)
  expect(turn({ metaKey: true })).toBe(true)
  expect(onPassed).toHaveBeenCalledTimes(1)
})

test('it zooms a map that has the focus until the focus leaves it', () => {
  map?.getContainer().focus()
  expect(turn()).toBe(true)
  map?.getContainer().blur()
  expect(turn()).toBe(false)
})
