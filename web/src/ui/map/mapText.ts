import L from 'leaflet'

/**
 * Leaflet reads a string as HTML, and the names on a map are typed by people. Everything that a map says goes through
 * this file, which hands Leaflet nodes of text only: `web/src/no-raw-html.test.ts` refuses its other ways elsewhere.
 */
const textNode = (text: string): HTMLElement =>
  Object.assign(document.createElement('span'), {
    textContent: text,
  })

/** Shows a text while the pointer is over a layer. */
export const bindTextTooltip = <Layer extends L.Layer>(
  layer: Layer,
  text: string,
  options?: Omit<L.TooltipOptions, 'content'>,
): Layer => layer.bindTooltip(textNode(text), options)

/** A tooltip that is placed by hand. */
export const createTextTooltip = (options: Omit<L.TooltipOptions, 'content'>): L.Tooltip => L.tooltip(options)

export const setTooltipText = (tooltip: L.Tooltip, text: string): L.Tooltip => tooltip.setContent(textNode(text))

/** A marker that is drawn by its class alone. */
export const styledIcon = (options: Pick<L.DivIconOptions, 'className' | 'iconSize' | 'iconAnchor'>): L.DivIcon =>
  L.divIcon({ ...options, html: false })

/** Names the source of the tiles in the corner of a map, as a link. */
export function addCredit(map: L.Map, { text, href }: { text: string; href: string }): void {
  const link = Object.assign(document.createElement('a'), { href, rel: 'noreferrer', textContent: text })
  const frame = document.createElement('div')
  frame.className = 'leaflet-control-attribution'
  frame.append(link)
  const control = new L.Control({ position: 'bottomright' })
  control.onAdd = () => frame
  control.addTo(map)
}
