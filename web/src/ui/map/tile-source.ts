/** Where streets come from: a server's tiles by a template, or a file that holds all tiles of an area. */
export interface TileSource {
  url: string
  attribution: string
  /** Of a file: its most detailed zoom, and its west, south, east and north in degrees. */
  area?: { maxZoom: number; bounds: [west: number, south: number, east: number, north: number] } | undefined
}

/** What the server says of its streets; without a source there are none. */
export function tileSource(): TileSource {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="tiles"]')
  const { attribution = '', area } = meta?.dataset ?? {}
  return { url: meta?.content ?? '', attribution, area: area ? JSON.parse(area) : undefined }
}
