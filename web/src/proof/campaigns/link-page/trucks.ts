import type { LinkTruck } from '@roadshow/contract/proof/campaign-links'
import { ROUTE_ZOOM, routePixel, routeSheet } from '@roadshow/contract/proof/route-sheet'
import type { StreetTrucks } from './street-trucks.ts'

const SVG = 'http://www.w3.org/2000/svg'
// The map is loaded a little before it comes into view.
const FAR = '400px'

/** A drawing of a market, and the street map over it once there is one. */
interface MarketSheet {
  market: string
  element: HTMLElement
  streets?: StreetTrucks | undefined
}

const sheets: MarketSheet[] = [...document.querySelectorAll<HTMLElement>('.route .sheet')].map((element) => ({
  market: element.dataset.name ?? '',
  element,
}))
let newest: readonly LinkTruck[] | undefined
/** Watches for sheets that come near; none where no source of tiles is set. */
let near: IntersectionObserver | undefined

/** The pixel of a place in a drawing, which uses Web Mercator at the zoom that it names. */
function pixelIn({ dataset }: HTMLElement, { latitude, longitude }: LinkTruck): [x: number, y: number] {
  const world = 256 * 2 ** Number(dataset.zoom)
  const sine = Math.sin((latitude * Math.PI) / 180)
  const north = Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)
  return [world * (longitude / 360 + 0.5) - Number(dataset.x), world * (0.5 - north) - Number(dataset.y)]
}

function draw({ element, streets }: MarketSheet, trucks: readonly LinkTruck[]): void {
  streets?.show(trucks)
  const drawing = element.querySelector('svg')
  if (!drawing) return
  for (const old of drawing.querySelectorAll('circle')) old.remove()
  for (const truck of trucks) {
    const [x, y] = pixelIn(element, truck)
    const spot = document.createElementNS(SVG, 'circle')
    spot.setAttribute('cx', String(Math.round(x)))
    spot.setAttribute('cy', String(Math.round(y)))
    spot.setAttribute('r', String(drawing.viewBox.baseVal.width / 60))
    drawing.append(spot)
  }
}

const element = (name: string, className = '') => Object.assign(document.createElement(name), { className })

/** Adds the drawing of a market whose first truck is out, as the server would have written it. */
function addSheet(market: string, trucks: readonly LinkTruck[]): void {
  const part = document.querySelector('#trucks')
  if (!part) return
  const drawings = part.querySelector('.where') ?? part.appendChild(element('div', 'where'))
  const sheet = routeSheet(trucks.map(({ latitude, longitude }) => routePixel(latitude, longitude)))
  const drawing = document.createElementNS(SVG, 'svg')
  drawing.setAttribute('viewBox', `0 0 ${sheet.width} ${sheet.height}`)
  drawing.setAttribute('role', 'img')
  drawing.setAttribute('aria-label', `Trucks in ${market}`)
  const paper = element('div', 'sheet')
  Object.assign(paper.dataset, { name: market, zoom: ROUTE_ZOOM, x: sheet.x, y: sheet.y })
  paper.append(drawing)
  const figure = element('figure', 'route')
  figure.append(paper)
  const place = element('div')
  place.append(Object.assign(element('h3'), { textContent: market }), figure)
  drawings.append(place)
  sheets.push({ market, element: paper })
  near?.observe(paper)
}

/** Shows where the trucks are now. */
export function placeTrucks(trucks: readonly LinkTruck[]): void {
  newest = trucks
  const drawn = new Set(sheets.map(({ market }) => market))
  for (const market of new Set(trucks.map((truck) => truck.market)))
    if (!drawn.has(market))
      addSheet(
        market,
        trucks.filter((truck) => truck.market === market),
      )
  for (const sheet of sheets)
    draw(
      sheet,
      trucks.filter(({ market }) => market === sheet.market),
    )
}

async function showStreets(sheet: MarketSheet): Promise<void> {
  const { streetTrucks } = await import('./street-trucks.ts')
  sheet.streets = await streetTrucks(sheet.element)
  if (newest) placeTrucks(newest)
}

/** Replaces the drawings by street maps where a source of tiles is set, as they come near. */
export function showMaps(): void {
  if (!document.querySelector<HTMLMetaElement>('meta[name="tiles"]')?.content) return
  near = new IntersectionObserver(
    (entries, observer) => {
      for (const { isIntersecting, target } of entries) {
        const sheet = sheets.find(({ element }) => element === target)
        if (!isIntersecting || !sheet) continue
        observer.unobserve(target)
        // Without it the drawing stays.
        void showStreets(sheet).catch(() => undefined)
      }
    },
    { rootMargin: FAR },
  )
  for (const { element } of sheets) near.observe(element)
}
