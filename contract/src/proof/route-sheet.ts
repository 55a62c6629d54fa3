// Where a drawing of routes and trucks lies on the map of the world. No schemas: public pages use it.

/** The drawing uses Web Mercator pixels at this zoom, one about 30 ft wide, so that a street map can replace it. */
export const ROUTE_ZOOM = 13.7
export const ROUTE_WORLD = 256 * 2 ** ROUTE_ZOOM
const RATIO = 3 / 2
const MARGIN = 0.06
// Pixels, for markets in which trucks hardly moved.
const NARROWEST = 300

export type RoutePixel = readonly [x: number, y: number]

export function routePixel(latitude: number, longitude: number): RoutePixel {
  const sine = Math.sin((latitude * Math.PI) / 180)
  const north = Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [Math.round(ROUTE_WORLD * (longitude / 360 + 0.5)), Math.round(ROUTE_WORLD * (0.5 - north))]
}

/** A sheet of a fixed shape around all pixels. */
export function routeSheet(pixels: readonly RoutePixel[]) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of pixels) {
    ;[left, right] = [Math.min(left, x), Math.max(right, x)]
    ;[top, bottom] = [Math.min(top, y), Math.max(bottom, y)]
  }
  const width = Math.ceil(Math.max(right - left, (bottom - top) * RATIO, NARROWEST) * (1 + 2 * MARGIN))
  const height = Math.ceil(width / RATIO)
  const corner = { x: Math.round((left + right - width) / 2), y: Math.round((top + bottom - height) / 2) }
  return { ...corner, width, height }
}
