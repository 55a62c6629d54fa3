import type PDFDocument from 'pdfkit'

// A tagged PDF names its parts, so that screen readers tell headings, tables and pictures apart. Documents that never call
// `startTags` stay as they are.

type Pdf = InstanceType<typeof PDFDocument>
type StructureElement = Parameters<Pdf['addStructure']>[0]

/** The kinds of parts that our documents have. */
export type Tag = 'H1' | 'H2' | 'H3' | 'P' | 'TH' | 'TD'

/** The part that the next text belongs to. */
const parents = new WeakMap<Pdf, StructureElement>()

/** Names the parts of everything that is written from now on. */
export function startTags(doc: Pdf): void {
  const root = doc.struct('Document')
  doc.addStructure(root)
  parents.set(doc, root)
}

/** How a text is tagged; empty in a document without tags, and inside of pictures and ornaments. */
export function tagOptions(doc: Pdf, tag: Tag): { structParent?: StructureElement; structType?: Tag } {
  const parent = parents.get(doc)
  return parent ? { structParent: parent, structType: tag } : {}
}

/** Begins a part that holds others; the returned function ends it. */
export function openPart(doc: Pdf, type: 'Sect' | 'Table' | 'TR'): () => void {
  const parent = parents.get(doc)
  if (!parent) return () => undefined
  const part = doc.struct(type)
  parent.add(part)
  parents.set(doc, part)
  return () => void parents.set(doc, parent)
}

/** Draws without naming parts inside, and goes on naming them afterwards. */
function drawMarked(doc: Pdf, mark: (parent: StructureElement) => void, draw: () => void): void {
  const parent = parents.get(doc)
  if (!parent) return draw()
  mark(parent)
  parents.delete(doc)
  draw()
  doc.endMarkedContent()
  parents.set(doc, parent)
}

/** Draws a picture or a chart, which `alt` describes for readers who do not see it. */
export const drawFigure = (doc: Pdf, alt: string, draw: () => void): void =>
  drawMarked(doc, (parent) => parent.add(doc.struct('Figure', { alt }, [doc.markStructureContent('Figure')])), draw)

/** Draws what means nothing: lines, backgrounds, and what repeats on every page. */
export const drawOrnament = (doc: Pdf, draw: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void =>
  drawMarked(doc, () => doc.markContent('Artifact', { type }), draw)
