import { formatDay, type PopChapter } from '@roadshow/contract'
import { html, type Html } from '../../../../platform/http/html.ts'
import { pluralize, formatNumber, formatMileCount, formatShortDay } from '../../publication/words.ts'

type Day = PopChapter['perDay'][number]
type Step = 'day' | 'week' | 'month'

// More bars are unreadable.
const MOST_DAYS = 62
const MOST_WEEKS = 110

const DAY_MS = 86_400_000
const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS
const dayAt = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10)

/** The first day of the day, week (from Monday) or month of a day. */
function beginOf(day: string, step: Step): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`
  // Day 0 of the count was a Thursday.
  return step === 'week' ? dayAt(dayNumber(day) - ((dayNumber(day) + 3) % 7)) : day
}

const following = (day: string, step: Step) =>
  step === 'month' ? beginOf(dayAt(dayNumber(day) + 31), 'month') : dayAt(dayNumber(day) + (step === 'week' ? 7 : 1))

/** Every day, week or month from the first to the last, including empty ones. */
function columnsOf(perDay: readonly Day[]): { step: Step; columns: Day[] } {
  const days = perDay.map(({ day }) => day).toSorted()
  const [first, last] = [days[0] ?? '', days.at(-1) ?? '']
  const length = dayNumber(last) - dayNumber(first) + 1
  const step = length <= MOST_DAYS ? 'day' : length <= MOST_WEEKS * 7 ? 'week' : 'month'
  const columns = new Map<string, Day>()
  for (let day = beginOf(first, step); day <= last; day = following(day, step)) {
    columns.set(day, { day, metres: 0, plays: 0, verifiedPlays: 0 })
  }
  for (const each of perDay) {
    const column = columns.get(beginOf(each.day, step))
    if (!column) continue
    column.metres += each.metres
    column.plays += each.plays
    column.verifiedPlays += each.verifiedPlays
  }
  return { step, columns: [...columns.values()] }
}

const HEIGHT = 100

const bar = (index: number, height: number, kind: string) =>
  height > 0 &&
  html`<rect class="${kind}" x="${index + 0.12}" y="${HEIGHT - height}" width="0.76" height="${height}" />`

interface Bars {
  title: string
  most: string
  columns: readonly Day[]
  /** The whole bar, and its verified part. */
  heights: (column: Day) => { all: number; proven?: number }
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
  if (perDay.length < 2) return null
  const { step, columns } = columnsOf(perDay)
  const most = (value: (column: Day) => number) => Math.max(...columns.map(value))
  const plays = most((column) => column.plays)
  const [first, last] = [columns[0]?.day ?? '', columns.at(-1)?.day ?? '']
  return html`<figure class="days">
    <figcaption>${name} by ${step}</figcaption>
    ${bars({
      title: `Miles per ${step}`,
      most: `up to ${formatMileCount(most((column) => column.metres))}`,
      columns,
      heights: ({ metres }) => ({ all: metres }),
    })}
    ${
      plays > 0 &&
      bars({
        title: `Plays per ${step}`,
        most: `up to ${formatNumber(plays)}`,
        columns,
        heights: ({ plays, verifiedPlays }) => ({ all: plays, proven: verifiedPlays }),
      })
    }
    <p class="axis figures" aria-hidden="true">
      <span>${formatShortDay(first)}</span>${
        plays > 0 && html`<span><span class="key">verified</span> <span class="key other">other plays</span></span>`
      }<span>${formatShortDay(last)}</span>
    </p>
    <details>
      <summary>${pluralize(columns.length, step)} as a table</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${name} by ${step}">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">${step === 'day' ? 'Day' : `${step === 'week' ? 'Week' : 'Month'} of`}</th>
              <th scope="col">Miles</th>
              <th scope="col">Plays</th>
              <th scope="col">Verified</th>
            </tr>
          </thead>
          <tbody>
            ${columns.map(
              ({ day, metres, plays, verifiedPlays }) =>
                html`<tr>
                  <th scope="row">${formatDay(day)}</th>
                  <td>${formatMileCount(metres)}</td>
                  <td>${formatNumber(plays)}</td>
                  <td>${formatNumber(verifiedPlays)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`
}
