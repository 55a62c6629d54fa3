import { type FigureText, formatDays, impressionNote, impressionText, type PopImpressions } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import type { PopOpening } from '../../publication/opening.ts'
import { coverImage, type PictureUrl } from './photo.ts'
import { listMarkets, mainFigures, programNotes, programSoFar } from '../../publication/words.ts'

/** The main figures of a program or a market. */
export const figureList = (shown: readonly FigureText[]): Html =>
  html`<dl class="numbers figures">
    ${shown.map(
      ({ value, unit, note }) =>
        html`<div>
          <dt>${unit}</dt>
          <dd class="value">${value}</dd>
          ${note && html`<dd class="of">${note}</dd>`}
        </div>`,
    )}
  </dl>`

/** What the figures leave out, below them. */
export const figureNotes = (notes: readonly string[]): Html | false =>
  notes.length > 0 && html`<p class="notes">${notes.join(' ')}</p>`

/** The estimate, apart from what is measured. */
export const impressionLine = (found: PopImpressions | undefined): Html | undefined =>
  found &&
  html`<p class="impressions figures"><b>${impressionText(found)}</b> <span>${impressionNote(found)}</span></p>`

export function hero(document: PopOpening, pictureUrl: PictureUrl): Html {
  const { brand, client, logo, program, startsOn, endsOn, chapters, coverPhoto } = document
  const soFar = programSoFar(document)
  return html`<header class="hero">
    <p class="masthead"><b>${brand}</b> <span>Proof of play</span></p>
    ${coverPhoto && coverImage(coverPhoto, coverPhoto.caption, pictureUrl)}
    <div class="panel">
      <p class="client">
        ${
          logo &&
          html`<img
            src="${pictureUrl(logo.key, 'large')}"
            width="${logo.width}"
            height="${logo.height}"
            alt=""
            class="logo"
          />`
        }${client}
      </p>
      <h1>${program}</h1>
      <p class="when">
        ${formatDays(startsOn, endsOn)}${chapters.length > 0 && html`<span>${listMarkets(chapters)}</span>`}
      </p>
      ${soFar && html`<p class="so-far">${soFar}</p>`}
    </div>
    ${figureList(mainFigures(document))}${impressionLine(document.impressions)}${figureNotes(programNotes(document))}
  </header>`
}
