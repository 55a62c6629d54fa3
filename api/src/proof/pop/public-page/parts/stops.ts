import type { PopChapter } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { stopLine, STOPS_TITLE, stopSummary } from '../../publication/words.ts'

// A longer list is folded, as the table of days is.
const MOST_OPEN = 8

/** The planned stops of a market as text; null without any. */
export function stopsList({ name, stops = [] }: Pick<PopChapter, 'name' | 'stops'>): Html | null {
  if (stops.length === 0) return null
  const list = html`<ul>
    ${stops.map((stop) => html`<li>${stopLine(stop)}</li>`)}
  </ul>`
  const isFolded = stops.length > MOST_OPEN
  return html`<div class="stops">
    <h3>${STOPS_TITLE}</h3>
    <p>${stopSummary(stops)}</p>
    ${
      isFolded
        ? html`<details>
            <summary>All stops in ${name}</summary>
            ${list}
          </details>`
        : list
    }
  </div>`
}
