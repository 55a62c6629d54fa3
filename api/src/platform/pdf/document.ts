import { createRequire } from 'node:module'
import type PDFDocument from 'pdfkit'
import type { Pdf } from './sheet.ts'

// Loaded with the first document: most starts of a node print none for a long time.
const load = createRequire(import.meta.url)

export const openPdf = (options: PDFKit.PDFDocumentOptions): Pdf => new (load('pdfkit') as typeof PDFDocument)(options)
