import { create } from 'qrcode'

const SVG = 'http://www.w3.org/2000/svg'
// Readers need four light modules around the code.
const QUIET = 4

/** A QR code as a drawing of one path. */
export function qrCode(text: string, title: string): SVGSVGElement {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const size = modules.size + 2 * QUIET
  const squares: string[] = []
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) squares.push(`M${column + QUIET} ${row + QUIET}h1v1h-1z`)
    }
  }
  const drawing = document.createElementNS(SVG, 'svg')
  drawing.setAttribute('viewBox', `0 0 ${size} ${size}`)
  drawing.setAttribute('role', 'img')
  drawing.setAttribute('aria-label', title)
  drawing.setAttribute('shape-rendering', 'crispEdges')
  const paper = document.createElementNS(SVG, 'rect')
  for (const name of ['width', 'height']) paper.setAttribute(name, String(size))
  paper.setAttribute('fill', '#fff')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', squares.join(''))
  path.setAttribute('fill', '#000')
  drawing.append(paper, path)
  return drawing
}
