import type { LinkTruck } from '@roadshow/contract/proof/campaign-links'
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

/** Shows where the trucks are now. */
export function placeTrucks(trucks: readonly LinkTruck[]): void {
  newest = trucks
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
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const sheet = sheets.find(({ element }) => element === target)
        if (!isIntersecting || !sheet) continue
        near.unobserve(target)
        // Without it the drawing stays.
        void showStreets(sheet).catch(() => undefined)
      }
    },
    { rootMargin: FAR },
  )
  for (const { element } of sheets) near.observe(element)
}
