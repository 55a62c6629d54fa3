import {
  dayText,
  deliveredWords,
  type FigureText,
  figureTexts,
  formatDays,
  formatCount,
  paceStateLabel,
  paceWords,
} from '@roadshow/contract'
import { sumDays } from '../pop/index.ts'
import type { CampaignReport } from './report.ts'

/** `Week of Jul 6, 2026 – Jul 12, 2026`: what a report covers. */
export function occasionText({ occasion, from, to, page }: CampaignReport): string {
  if (occasion === 'weekly') return `Week of ${formatDays(from, to)}`
  if (occasion === 'end') return `Final report, ${formatDays(from, to)}`
  return page ? `Version ${page.version} of the proof of play` : 'Proof of play'
}

export const reportTitle = (report: CampaignReport): string => `${report.program}: ${occasionText(report)}`

/** The days of the report taken together; undefined for a report whose days are those of the totals. */
export function spanFigures({ occasion, markets }: CampaignReport): FigureText[] | undefined {
  if (occasion !== 'weekly') return undefined
  const days = markets.flatMap(({ days }) => days)
  if (days.length === 0) return []
  const sum = sumDays(days)
  return figureTexts({
    ...sum,
    seconds: sum.seconds ?? 0,
    shifts: sum.shifts ?? 0,
    days: new Set(days.map(({ day }) => day)).size,
    // Not known of single days, and not told.
    trucks: 0,
    conflictPlays: 0,
    playSeconds: 0,
  })
}

/** The figures of the whole program, in the words of its page. */
export const totalFigures = ({ total }: CampaignReport): FigureText[] => figureTexts(total)

/** `1,000 miles driven, by 2 trucks`; what was not recorded has no unit. */
export const figureLine = ({ value, unit, note }: FigureText): string =>
  [/^\d/.test(value) ? `${value} ${unit}` : value, ...(note ? [note] : [])].join(', ')

/** Booked lines with what is delivered, in the words of the program's page. */
export const bookedRows = ({ delivery }: CampaignReport): { market: string; delivered: string; state: string }[] =>
  (delivery?.lines ?? []).map((line) => ({
    market: line.line.market.name,
    delivered: deliveredWords(line),
    state:
      line.pace === null ? paceStateLabel[line.state] : `${paceStateLabel[line.state]}, pace ${paceWords(line.pace)}`,
  }))

/** A market with its days of the report taken together, as the rows of a table. */
export const marketRows = ({ markets }: CampaignReport): string[][] =>
  markets
    .filter(({ days }) => days.length > 0)
    .map(({ name, days }) => {
      const sum = dayText(sumDays(days), name)
      return [name, formatCount(days.length), sum.hours, sum.miles, sum.plays, sum.verified]
    })

export const MARKET_TITLES = ['Market', 'Days', 'Hours', 'Miles', 'Plays', 'Verified plays']
