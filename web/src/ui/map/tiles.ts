import L from 'leaflet'
import type { TileSource } from './tile-source.ts'

type StreetOptions = Pick<L.GridLayerOptions, 'className' | 'maxZoom'>

/** The layer of streets. What draws a file is loaded only where there is one. */
export const streetLayer = (source: TileSource, options: StreetOptions): L.GridLayer | Promise<L.GridLayer> =>
  source.area
    ? fileLayer(source.url, source.area, options)
    : L.tileLayer(source.url, { ...options, referrerPolicy: 'strict-origin' })

async function fileLayer(
  url: string,
  { maxZoom, bounds: [west, south, east, north] }: NonNullable<TileSource['area']>,
  options: StreetOptions,
): Promise<L.GridLayer> {
  // The library expects Leaflet as a global.
  Object.assign(globalThis, { L })
  const { leafletLayer } = await import('protomaps-leaflet')
  return leafletLayer({
    ...options,
    url,
    maxDataZoom: maxZoom,
    // Outside of it the outlines below stay to be seen.
    bounds: [
      [south, west],
      [north, east],
    ],
    flavor: 'light',
    lang: 'en',
    attribution: '',
  }) as unknown as L.GridLayer
}
