import { act, cleanup, render } from '@testing-library/react'
import type L from 'leaflet'
import { Suspense, use, useEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { LeafletContainer, StreetLayer, useMap, useMapEvents } from './leafletContext.tsx'

afterEach(cleanup)

const options: L.MapOptions = { center: [37.9, -95], zoom: 3 }
const source = { url: 'https://tiles.example/{z}/{x}/{y}.png', attribution: '' }

test('a layer reaches the map around it, and hears it until it is taken away', () => {
  const onZoom = vi.fn<() => void>()
  let map: L.Map | undefined
  const Layer = () => {
    const own = useMap()
    useMapEvents({ zoomend: onZoom })
    useEffect(() => void (map = own), [own])
    return null
  }
  const { rerender } = render(
    <LeafletContainer options={options} className="map">
      <Layer />
    </LeafletContainer>,
  )
  expect(map?.getZoom()).toBe(3)
  act(() => void map?.fire('zoomend'))
  expect(onZoom).toHaveBeenCalledTimes(1)
  rerender(
    <LeafletContainer options={options} className="map">
      <StreetLayer source={source} className="tiles" onMissing={() => undefined} />
    </LeafletContainer>,
  )
  act(() => void map?.fire('zoomend'))
  expect(onZoom).toHaveBeenCalledTimes(1)
})

test('a map is removed with its component, and its tiles with it', () => {
  let map: L.Map | undefined
  const Layer = () => {
    map = useMap()
    return null
  }
  const { unmount } = render(
    <LeafletContainer options={options} className="map">
      <Layer />
      <StreetLayer source={source} className="tiles" onMissing={() => undefined} />
    </LeafletContainer>,
  )
  const onUnload = vi.fn<() => void>()
  map?.on('unload', onUnload)
  expect(document.querySelector('.leaflet-tile-pane .tiles')).toBeInTheDocument()
  unmount()
  expect(onUnload).toHaveBeenCalledTimes(1)
  expect(document.querySelector('.tiles')).not.toBeInTheDocument()
})

test('it says that streets are missing when none could be loaded, and takes it back with the first one', () => {
  const onMissing = vi.fn<(isMissing: boolean) => void>()
  let map: L.Map | undefined
  const Layer = () => {
    map = useMap()
    return null
  }
  render(
    <LeafletContainer options={options} className="map">
      <Layer />
      <StreetLayer source={source} className="tiles" onMissing={onMissing} />
    </LeafletContainer>,
  )
  const streets: L.Layer[] = []
  map?.eachLayer((layer) => streets.push(layer))
  const fire = (event: string) => act(() => void streets[0]?.fire(event))
  fire('tileerror')
  expect(onMissing.mock.calls).toEqual([[true]])
  fire('tileload')
  // A single tile that fails between others leaves the streets.
  fire('tileerror')
  expect(onMissing.mock.calls).toEqual([[true], [false]])
})

test('a screen that is hidden while the next one loads keeps its map', async () => {
  const loading = new Promise<null>(() => {})
  const onUnload = vi.fn<() => void>()
  const Layer = () => {
    const map = useMap()
    useEffect(() => void map.on('unload', onUnload), [map])
    return null
  }
  const Next = ({ isLoading }: { isLoading: boolean }) => (isLoading ? use(loading) : null)
  const screenWith = (isLoading: boolean) => (
    <Suspense fallback="Loading">
      <LeafletContainer options={options} className="map">
        <Layer />
      </LeafletContainer>
      <Next isLoading={isLoading} />
    </Suspense>
  )
  const { rerender, getByText } = render(screenWith(false))
  await act(async () => rerender(screenWith(true)))
  expect(getByText('Loading')).toBeInTheDocument()
  expect(onUnload).not.toHaveBeenCalled()
})

test('a layer outside of a map is a mistake', () => {
  const Stray = () => {
    useMap()
    return null
  }
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => render(<Stray />)).toThrow('A map layer is used outside of a map.')
})
