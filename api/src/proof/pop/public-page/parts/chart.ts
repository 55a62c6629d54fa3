import { formatMileCount, formatNumber, type PopChapter, type PopDay } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { type DayTable, dayTable, dayTableColumns } from '../../publication/day-table.ts'
import { formatShortDay, PLAY_KEYS } from '../../publication/words.ts'
import { figuresTable } from './table.ts'

const HEIGHT = 100
const bar = (index: number, height: number, kind: string) =>
  height > 0 &&
  html`<rect class="${kind}" x="${index + 0.12}" y="${HEIGHT - height}" width="0.76" height="${height}" />`

interface Bars {
  title: string
  most: string
  columns: readonly PopDay[]
  /** The whole bar, and its verified part. */
  heights: (column: PopDay) => { all: number; proven?: number }
}

function bars({ title, most, columns, heights }: Bars): Html {
  const drawn = columns.map(heights)
  const top = Math.max(...drawn.map(({ all }) => all)) || 1
  const tall = (value: number) => Math.round((value / top) * HEIGHT * 10) / 10
  return html`<div class="bars">
    <p><b>${title}</b> <span class="figures">${most}</span></p>
    <svg viewBox="0 0 ${columns.length} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true">
      ${drawn.map(({ all, proven }, index) => [
        bar(index, tall(all), 'bar'),
        proven !== undefined && bar(index, tall(proven), 'proven'),
      ])}
    </svg>
  </div>`
}

/** The days of a market as two charts, and as a table for exact numbers and screen readers. */
export function daysChart({ name, perDay }: Pick<PopChapter, 'name' | 'perDay'>): Html | null {
  if (perDay.length === 0) return null
  const table = dayTable(perDay)
  const { step, columns } = table
  const most = (value: (column: PopDay) => number) => Math.max(...columns.map(value))
  const [meters, plays] = [most((column) => column.metres), most((column) => column.plays)]
  const [first, last] = [columns[0]?.day ?? '', columns.at(-1)?.day ?? '']
  return html`<figure class="days">
    <figcaption>${name} by ${step}</figcaption>
    ${
      meters > 0 &&
      bars({
        title: `Miles per ${step}`,
        most: `up to ${formatMileCount(meters)}`,
        columns,
        heights: (column) => ({ all: column.metres }),
      })
    }
    ${
      plays > 0 &&
      bars({
        title: `Plays per ${step}`,
        most: `up to ${formatNumber(plays)}`,
        columns,
        heights: (column) => ({ all: column.plays, proven: column.verifiedPlays }),
      })
    }
    <p class="axis figures" aria-hidden="true">
      <span>${formatShortDay(first)}</span>${
        plays > 0 &&
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
