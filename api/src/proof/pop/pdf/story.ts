import type { PopDocument } from '@roadshow/contract'
import { color, EDGE, ensureSpace, heightOf, INNER, type Pdf, write } from '../../../platform/pdf/sheet.ts'
import { openPart } from '../../../platform/pdf/tags.ts'
import { dayStory, STORY_TITLE, type StoryDay } from '../publication/day-story.ts'

const LABEL = 110
const LINE = { size: 8.5, gap: 1.5 }
const ENTRY = { ...LINE, width: INNER - LABEL }

const linesOf = ({ entries }: StoryDay): { text: string; isStop: boolean }[] =>
  entries.flatMap(({ market, facts, stops }) => [
    { text: [market, ...facts].join(' · '), isStop: false },
    ...stops.map((text) => ({ text, isStop: true })),
  ])

/** A day beside what happened in each market; a day is not split. */
function drawDay(doc: Pdf, day: StoryDay): void {
  const lines = linesOf(day)
  ensureSpace(doc, lines.reduce((sum, { text }) => sum + heightOf(doc, text, ENTRY), 0) + 6)
  const top = doc.y
  write(doc, day.label, { ...LINE, x: EDGE, y: top, bold: true, width: LABEL - 8, tag: 'H3' })
  doc.y = top
  for (const { text, isStop } of lines)
    write(doc, text, { ...ENTRY, x: EDGE + LABEL, y: doc.y, fill: isStop ? color.soft : color.ink })
  doc.y = Math.max(doc.y, top + 12) + 3
}

/** The page's days, one after the other. */
export function drawStory(doc: Pdf, { chapters }: PopDocument): void {
  const days = dayStory(chapters)
  if (days.length === 0) return
  const closePart = openPart(doc, 'Sect')
  ensureSpace(doc, 80)
  write(doc, STORY_TITLE, { x: EDGE, y: doc.y + 18, size: 14, bold: true, tag: 'H2' })
  doc.y += 6
  for (const day of days) drawDay(doc, day)
  closePart()
}
