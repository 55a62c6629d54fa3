import { html, type Html } from '../../../../platform/http/html.ts'
import { comparedFigures } from '../../publication/comparison.ts'
import type { OpeningChapter } from '../../publication/opening.ts'

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
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">${COMPARE_TITLE}</h2>
    ${
      chapters.length > 2 &&
      html`<p class="choices" hidden>${choice('First market', chapters, 0)} ${choice('Second market', chapters, 1)}</p>`
    }
    <div class="scroll" tabindex="0" role="region" aria-label="${COMPARE_TITLE}">
      <table class="figures">
        <thead>
          <tr>
            <td></td>
            ${chapters.map(({ name }) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${comparedFigures.map(
            ({ title, value }) =>
              html`<tr>
                <th scope="row">${title}</th>
                ${chapters.map((chapter) => html`<td>${value(chapter)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`
}
