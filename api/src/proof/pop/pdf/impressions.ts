import { impressionNote, impressionText, type PopImpressions } from '@roadshow/contract'
import { color, EDGE, type Pdf, write } from '../../../platform/pdf/sheet.ts'

/** The estimate below the figures, apart from what is measured. */
export function drawImpressions(doc: Pdf, found: PopImpressions | undefined, size: number): void {
  if (!found) return
  write(doc, impressionText(found), { x: EDGE, y: doc.y + 6, size: size + 1.5, bold: true })
  write(doc, impressionNote(found), { x: EDGE, y: doc.y + 1, size, gap: 2, fill: color.soft })
}
