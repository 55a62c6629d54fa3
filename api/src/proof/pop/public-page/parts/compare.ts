import { html, type Html } from '../../../../platform/http/html.ts'
import { type ComparedFigure, comparedFigures } from '../../publication/comparison.ts'
import type { OpeningChapter } from '../../publication/opening.ts'
import { figuresTable } from './table.ts'

const COMPARE_TITLE = 'Compare markets'

const choice = (label: string, chapters: readonly OpeningChapter[], chosen: number) =>
  html`<label
    >${label}
    <select>
      ${chapters.map(
        ({ name }, index) => html`<option value="${index}" ${index === chosen && html`selected`}>${name}</option>`,
      )}
    </select></label
  >`

/** The figures of all markets side by side; a script lets the reader choose two of many. Null for a single market. */
export function compareMarkets(chapters: readonly OpeningChapter[]): Html | null {
  if (chapters.length < 2) return null
  const columns = [
    { title: '', cell: ({ title }: ComparedFigure) => title },
    ...chapters.map((chapter) => ({ title: chapter.name, cell: ({ value }: ComparedFigure) => value(chapter) })),
  ]
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">${COMPARE_TITLE}</h2>
    ${
      chapters.length > 2 &&
      html`<p class="choices" hidden>${choice('First market', chapters, 0)} ${choice('Second market', chapters, 1)}</p>`
    }
    ${figuresTable(COMPARE_TITLE, columns, comparedFigures)}
  </section>`
}
