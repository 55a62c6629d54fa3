import {
  deliveredWords,
  forecastWords,
  formatMoment,
  formatCount,
  type LiveCampaign,
  missingDataWords,
  paceSentence,
  paceStateLabel,
  countOf,
  weekTexts,
} from '@roadshow/contract'
import { linkTrucks, type LiveContent, shiftText } from './content.ts'

/** The booked lines in words. */
export const lineTexts = ({ delivery }: Pick<LiveContent, 'delivery'>) =>
  (delivery?.lines ?? []).map((each) => ({
    market: each.line.market.name,
    state: each.state,
    label: paceStateLabel[each.state],
    pace: paceSentence(each.pace),
    delivered: deliveredWords(each),
    forecast: [forecastWords(each), missingDataWords(each)].filter(Boolean).join(' '),
    share: Math.min(1, each.delivered / each.line.amount),
    due: Math.min(1, each.expected / each.line.amount),
  }))

/** Where the trucks were, in a sentence for each thing to know. */
export function trucksText(content: Pick<LiveContent, 'trucks' | 'asOf' | 'upcoming'>): string {
  const { trucks, asOf } = content
  const [[first], [next]] = [trucks, content.upcoming]
  if (!first) {
    return `No truck was out ${next ? `at this time. Next: ${shiftText(next)} in ${next.market}.` : 'at this time.'}`
  }
  const markets = [...new Set(trucks.map(({ market }) => market))]
  const countIn = (name: string) => formatCount(trucks.filter(({ market }) => market === name).length)
  const where = new Intl.ListFormat('en-US').format(
    markets.map((market) => (markets.length > 1 ? `${countIn(market)} in ${market}` : market)),
  )
  const hidden = trucks.length - linkTrucks(content).length
  return [
    `${countOf(trucks.length, 'truck')} on the road${markets.length > 1 ? `: ${where}` : ` in ${where}`}.`,
    `Positions as of ${formatMoment(asOf, first.zone)}.`,
    ...(hidden > 0 ? [`${hidden === 1 ? 'One position is' : `${formatCount(hidden)} positions are`} not shown.`] : []),
  ].join(' ')
}

/** The texts of the page that change while it is open, by the name of their place. */
export function liveTexts(content: LiveContent): LiveCampaign {
  const texts: Record<string, string> = {}
  for (const { name, value, note } of weekTexts(content.week)) {
    texts[name] = value
    texts[`${name}-note`] = note
  }
  for (const [index, line] of lineTexts(content).entries()) {
    texts[`line-${index}`] = line.delivered
    texts[`line-${index}-label`] = line.label
    texts[`line-${index}-pace`] = line.pace
    texts[`line-${index}-forecast`] = line.forecast
  }
  return { sentence: trucksText(content), trucks: linkTrucks(content), texts }
}
