import type { CampaignWeek, WeekFigures } from './campaigns.ts'
import { formatHours, milesValue, playsValue } from './pop-figure-words.ts'
import { formatCount } from '../platform/figures.ts'
import type { FigureText } from './pop-figure-words.ts'

// The words of a campaign's week. The console and the page of a link say the same.

/** How a figure compares with the week before: `12% more than last week`; empty where there is nothing to compare. */
function changeText(value: number, before: number): string {
  if (before === 0 || value === 0) return ''
  const share = Math.round(Math.abs(value / before - 1) * 100)
  return share === 0
    ? 'as much as last week'
    : `${formatCount(share)}% ${value > before ? 'more' : 'less'} than last week`
}

/** Without shifts there is nothing to measure, which is not zero. */
const EMPTY_WEEK = { miles: '–', plays: '–', hours: '–', note: 'no shifts this week yet' }

/** The four figures of a week. The week before counts up to the same weekday. */
export function weekTexts({
  figures,
  before,
}: Pick<CampaignWeek, 'figures' | 'before'>): (FigureText & { name: string })[] {
  const empty = figures.shifts === 0 ? EMPTY_WEEK : undefined
  const change = (of: (figures: WeekFigures) => number) => (before ? changeText(of(figures), of(before)) : '')
  return [
    {
      name: 'miles',
      value: empty?.miles ?? milesValue(figures),
      unit: 'miles this week',
      note: empty?.note ?? change(({ metres }) => metres),
    },
    {
      name: 'plays',
      value: empty?.plays ?? playsValue(figures),
      unit: 'ad plays this week',
      note: change(({ plays }) => plays),
    },
    {
      name: 'hours',
      value: empty?.hours ?? formatHours(figures.seconds),
      unit: 'hours on the street',
      note: change(({ seconds }) => seconds),
    },
    {
      name: 'shifts',
      value: formatCount(figures.shifts),
      unit: figures.shifts === 1 ? 'shift' : 'shifts',
      note: change(({ shifts }) => shifts),
    },
  ]
}
