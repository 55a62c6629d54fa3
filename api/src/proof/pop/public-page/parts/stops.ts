import type { PopChapter } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { stopColumns, STOPS_TITLE, stopSummary } from '../../publication/words.ts'
import { figuresTable } from './table.ts'

// A longer table is folded, as the table of days is.
const MOST_OPEN = 8

/** The planned stops of a market, each plan beside what the track shows; null without any. */
export function stopsTable({ name, stops = [] }: Pick<PopChapter, 'name' | 'stops'>): Html | null {
  if (stops.length === 0) return null
  const table = figuresTable(`${STOPS_TITLE} in ${name}`, stopColumns, stops)
  const isFolded = stops.length > MOST_OPEN
  return html`<div class="stops">
    <h3>${STOPS_TITLE}</h3>
    <p>${stopSummary(stops)}</p>
    ${
      isFolded
        ? html`<details>
            <summary>All stops in ${name}</summary>
            ${table}
          </details>`
        : table
    }
  </div>`
}
