import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { addCredit } from '../../ui/map/mapText.ts'
import { tileSource } from '../../ui/map/tile-source.ts'
import { streetLayer } from '../../ui/map/tiles.ts'
import './street-map.css'

const MAX_ZOOM = 17

/** The points of a drawn line in pixels; each is encoded relative to the one before. */
function pointsOf(path: string): L.PointTuple[] {
  const steps = path.match(/-?\d+/g)?.map(Number) ?? []
  const points: L.PointTuple[] = []
  let [x, y] = [0, 0]
  for (let at = 0; at + 1 < steps.length; at += 2) {
    ;[x, y] = [x + (steps[at] ?? 0), y + (steps[at + 1] ?? 0)]
    points.push([x, y])
  }
  return points
}

/** Turns a pixel of a drawing, which uses Web Mercator at the zoom that it names, into a place. */
export const placesOn =
  ({ x, y, zoom }: { x?: string; y?: string; zoom?: string }) =>
  ([left, top]: L.PointTuple): L.LatLng =>
    L.CRS.EPSG3857.pointToLatLng(L.point(Number(x) + left, Number(y) + top), Number(zoom))

/**
 * Lays a map of streets over a drawing as soon as there are streets to see; without tiles the drawing stays. Returns the
 * map, if there is one to draw on.
 */
export async function showStreets(sheet: HTMLElement): Promise<L.Map | undefined> {
  const source = tileSource()
  const drawing = sheet.querySelector('svg')
  if (!source.url || !drawing) return undefined
  const tiles = await streetLayer(source, { className: 'tiles', maxZoom: MAX_ZOOM })
  const { name = '', zoom = '', x = '', y = '', label = `Map of the routes in ${name}` } = sheet.dataset
  const container = document.createElement('div')
  container.className = 'streets'
  container.role = 'application'
  container.ariaLabel = label
  container.inert = true
  sheet.append(container)

  const map = L.map(container, {
    zoomSnap: 0.25,
    maxZoom: MAX_ZOOM,
    scrollWheelZoom: false,
    // A finger scrolls the page; two move the map.
    dragging: matchMedia('(pointer: fine)').matches,
    attributionControl: false,
  })
  const placeOf = placesOn({ x, y, zoom })
  const { width, height } = drawing.viewBox.baseVal
  map.fitBounds(L.latLngBounds(placeOf([0, 0]), placeOf([width, height])), { animate: false })
  for (const path of drawing.querySelectorAll('path')) {
    const line = pointsOf(path.getAttribute('d') ?? '').map(placeOf)
    L.polyline(line, { className: 'line', weight: 3, interactive: false }).addTo(map)
  }
  if (source.attribution) addCredit(map, { text: source.attribution, href: 'https://www.openstreetmap.org/copyright' })

  const show = () => {
    container.inert = false
    sheet.classList.add('has-streets')
    tiles.off('load', giveUp)
  }
  const giveUp = () => {
    // Leaflet has not yet done with the event that says so.
    setTimeout(() => {
      if (sheet.classList.contains('has-streets')) return
      map.remove()
      container.remove()
    })
  }
  tiles.once('tileload', show).once('load', giveUp).addTo(map)
  return map
}
