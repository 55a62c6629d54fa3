import { formatShortDay } from '@roadshow/contract'
import type { PopChapter } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { type DayChart, dayCharts, type DayTable, dayTable, dayTableColumns } from '../../publication/day-table.ts'
import { PLAY_KEYS } from '../../publication/words.ts'
import { figuresTable } from './table.ts'

const HEIGHT = 100
const bar = (index: number, height: number, kind: string) =>
  height > 0 &&
  html`<rect class="${kind}" x="${index + 0.12}" y="${HEIGHT - height}" width="0.76" height="${height}" />`

function barsOf({ title, most, bars }: DayChart): Html {
  const top = Math.max(...bars.map(({ all }) => all))
  const tall = (value: number) => Math.round((value / top) * HEIGHT * 10) / 10
  return html`<div class="bars">
    <p><b>${title}</b> <span class="figures">${most}</span></p>
    <svg viewBox="0 0 ${bars.length} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${bars.map(({ all, verified = 0 }, index) => [
        bar(index, tall(all), 'bar'),
        bar(index, tall(verified), 'proven'),
      ])}
    </svg>
  </div>`
}

/** The days of a market as two charts, and as a table for exact numbers and screen readers. */
export function daysChart({ name, perDay }: Pick<PopChapter, 'name' | 'perDay'>): Html | null {
  if (perDay.length === 0) return null
  const table = dayTable(perDay)
  const { step, columns } = table
  const charts = dayCharts(table)
  const [first, last] = [columns[0]?.day ?? '', columns.at(-1)?.day ?? '']
  return html`<figure class="days">
    <figcaption>${name} by ${step}</figcaption>
    ${charts.map(barsOf)}
    <p class="axis figures" aria-hidden="true">
      <span>${formatShortDay(first)}</span>${
        charts.some(({ kind }) => kind === 'plays') &&
        html`<span
          ><span class="key">${PLAY_KEYS.verified}</span> <span class="key other">${PLAY_KEYS.other}</span></span
        >`
      }${last !== first && html`<span>${formatShortDay(last)}</span>`}
    </p>
    ${tableOf(name, table)}
  </figure>`
}

const tableOf = (name: string, table: DayTable): Html =>
  html`<details>
    <summary>${table.summary} as a table</summary>
    ${figuresTable(`${name} by ${table.step}`, dayTableColumns(table), table.rows)}
  </details>`
