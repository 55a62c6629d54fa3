const SVG = 'http://www.w3.org/2000/svg'
const [MARGIN, TITLE] = [16, 28]
const inlined = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
] as const

/** What only the page makes use of. */
const OF_THE_PAGE = ['class', 'style', 'href', 'tabindex', 'data-hollow', 'data-title']

/** A copy of a chart that looks the same without the page's styles, and that leads nowhere. */
function plainCopy(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement
  const [originals, copies] = [chart.querySelectorAll('*'), copy.querySelectorAll('*')]
  for (const [index, original] of originals.entries()) {
    const [style, target] = [getComputedStyle(original), copies[index]]
    for (const name of inlined) target?.setAttribute(name, style.getPropertyValue(name))
  }
  for (const each of [copy, ...copies]) for (const name of OF_THE_PAGE) each.removeAttribute(name)
  return copy
}

function draw(kind: 'text' | 'rect', attributes: Record<string, string | number>, text = ''): SVGElement {
  const element = document.createElementNS(SVG, kind)
  element.textContent = text
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value))
  return element
}

const textAt = (x: number, y: number, text: string, size: number) =>
  draw('text', { x, y, 'font-size': size, 'font-family': 'sans-serif', fill: 'currentColor' }, text)

/** The words of a legend with their colors, in one line. */
function legendOf(element: Element, y: number): SVGElement[] {
  let x = MARGIN
  return [...element.querySelectorAll<HTMLElement>('[data-legend]')].flatMap((entry) => {
    const [word, swatch] = [entry.textContent ?? '', entry.querySelector<HTMLElement>('span')]
    const { color } = getComputedStyle(swatch ?? entry)
    const isHollow = swatch?.dataset['hollow'] === 'true'
    const box = { x, y: y - 9, width: 10, height: 10, stroke: color, fill: isHollow ? 'none' : color }
    const drawn = [
      draw('rect', { ...box, ...(isHollow && { 'stroke-dasharray': '3 2' }) }),
      textAt(x + 16, y, word, 12),
    ]
    x += 40 + 7 * word.length
    return drawn
  })
}

/** All charts of an element as one picture: its title and legend, and each chart below the other with its own title. */
export function pictureOf(element: Element, title: string): string {
  const picture = document.createElementNS(SVG, 'svg')
  picture.setAttribute('xmlns', SVG)
  picture.append(textAt(MARGIN, MARGIN + 8, title, 16), ...legendOf(element, MARGIN + TITLE))
  let [y, width] = [MARGIN + 2 * TITLE, 0]
  for (const chart of element.querySelectorAll<SVGSVGElement>('svg[data-title]')) {
    const box = chart.getBoundingClientRect()
    const copy = plainCopy(chart)
    const place = { x: MARGIN, y: y + 10, width: box.width, height: box.height }
    for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value))
    picture.append(textAt(MARGIN, y, chart.dataset['title'] ?? '', 12), copy)
    y += box.height + MARGIN + TITLE
    width = Math.max(width, box.width)
  }
  const { color, backgroundColor } = getComputedStyle(document.body)
  picture.setAttribute('style', `color: ${color}; background: ${backgroundColor}`)
  picture.setAttribute('viewBox', `0 0 ${width + 2 * MARGIN} ${y}`)
  return new XMLSerializer().serializeToString(picture)
}

/** Hands a picture of an element's charts to the browser to keep. */
export function savePicture(element: Element, title: string, filename: string): void {
  const address = URL.createObjectURL(new Blob([pictureOf(element, title)], { type: 'image/svg+xml' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${filename}.svg`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 0)
}
