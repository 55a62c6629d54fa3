import {
  METERS_PER_MILE,
  type PopChapter,
  ROUTE_WORLD,
  ROUTE_ZOOM,
  routePixel,
  type RoutePixel,
  routeSheet,
} from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { ROUTE_CAPTION } from '../../publication/words.ts'
import { decodePolyline, type LatLng } from '../../publication/polyline.ts'

const pixelOf = ([latitude, longitude]: LatLng) => routePixel(latitude, longitude)

/** A line as an SVG path with relative points: `M10 20l3 4 0 -7`. */
function pathOf(line: readonly RoutePixel[], { x: left, y: top }: { x: number; y: number }): string {
  let [x, y] = [left, top]
  const steps = line.map((pixel) => {
    const step = `${pixel[0] - x} ${pixel[1] - y}`
    ;[x, y] = pixel
    return step
  })
  return `M${steps[0]}l${steps.slice(1).join(' ')}`
}

const LENGTHS = [0.25, 0.5, 1, 2, 5, 10, 20, 50, 100]

/** A round number of miles that is about a fifth of the sheet wide. */
function scaleOf({ width, y }: { width: number; y: number }) {
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / ROUTE_WORLD)))
  const pixelsPerMile = METERS_PER_MILE / ((40_075_016.7 * Math.cos(latitude)) / ROUTE_WORLD)
  const miles = LENGTHS.findLast((length) => length * pixelsPerMile <= width / 4) ?? LENGTHS[0] ?? 1
  return { miles, share: (miles * pixelsPerMile * 100) / width }
}

interface Drawn extends Pick<PopChapter, 'name' | 'routes'> {
  /** Where trucks are, of a campaign that runs. */
  trucks?: readonly LatLng[]
  /** What it shows instead of routes. */
  words?: { label: string; caption: string }
}

/** Where trucks drove, as a standalone drawing; a street map replaces it where one is configured. */
export function routeDrawing({ name, routes, trucks = [], words }: Drawn): Html | null {
  const lines = routes.map((route) => decodePolyline(route).map(pixelOf)).filter((line) => line.length > 1)
  const spots = trucks.map(pixelOf)
  if (lines.length + spots.length === 0) return null
  const sheet = routeSheet([...lines.flat(), ...spots])
  const scale = scaleOf(sheet)
  return html`<figure class="route">
    <div
      class="sheet"
      data-name="${name}"
      data-zoom="${ROUTE_ZOOM}"
      data-x="${sheet.x}"
      data-y="${sheet.y}"
      ${words && html`data-label="${words.label}"`}
    >
      <svg
        viewBox="0 0 ${sheet.width} ${sheet.height}"
        role="img"
        aria-label="${words?.label ?? `Routes driven in ${name}`}"
      >
        ${lines.map((line) => html`<path d="${pathOf(line, sheet)}" />`)}
        ${spots.map(([x, y]) => html`<circle cx="${x - sheet.x}" cy="${y - sheet.y}" r="${sheet.width / 60}" />`)}</svg
      ><span class="scale figures" style="width:${scale.share.toFixed(1)}%">${scale.miles} mi</span>
    </div>
    <figcaption>${words?.caption ?? ROUTE_CAPTION}</figcaption>
  </figure>`
}
