import { type PopGrade, popGradeLabel } from '@roadshow/contract'
import { color, type Pdf, write } from '../../../platform/pdf/sheet.ts'

const gradeColor: Record<PopGrade, string> = { verified: color.driving, unverified: '#B26B00', conflict: '#C6373C' }

/** Writes a grade the same way everywhere: a colored dot with its word beside it. */
export function writeGrade(doc: Pdf, grade: PopGrade, x: number, y: number, size: number): void {
  doc.circle(x + size * 0.35, y + size * 0.42, size * 0.32).fill(gradeColor[grade])
  write(doc, popGradeLabel[grade], { x: x + size, y, size, bold: true, fill: gradeColor[grade], width: 80 })
}
