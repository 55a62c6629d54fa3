import {
  type BookedLineInput,
  bookedUnitLabel,
  type BookedUnit,
  readChoice,
  readDay,
  type Reading,
  readMoney,
  readWhole,
} from '@roadshow/contract'

const DAYS = /^(.+?) ?(?:–|—|-(?= )|\bto\b) ?(.*)$/

export const readUnit = (text: string): Reading<BookedUnit> =>
  readChoice(text, bookedUnitLabel, {
    truckDays: ['truck-day', 'truck days', 'days', 'day'],
    hours: ['hour', 'hrs'],
    miles: ['mile'],
    plays: ['play', 'spots', 'impressions of the screen'],
  })

/** A market as a cell names it, to be looked up. */
export interface MarketSpan {
  market: string
  startsOn: string | null
  endsOn: string | null
}

const partsOf = (text: string) =>
  text
    .split(/[;\n]/)
    .map((part) => part.trim())
    .filter(Boolean)

const A_MARKET = 'Must be markets such as Houston; Dallas (7/1/2026 – 7/31/2026).'

/** Reads the markets of a program: `Houston; Dallas (2026-07-01 – 2026-07-31)`. */
export function readMarketSpans(text: string): Reading<MarketSpan[]> {
  const spans: MarketSpan[] = []
  for (const part of partsOf(text)) {
    const [, market = '', days] = /^([^(]+?)(?: ?\((.*)\))?$/.exec(part) ?? []
    const [, from = '', to = ''] = days === undefined ? [] : (DAYS.exec(` ${days}`.trimEnd()) ?? [])
    if (market === '' || (days !== undefined && from.trim() === '' && to === '')) return { problem: A_MARKET }
    const [startsOn, endsOn] = [optionalDay(from), optionalDay(to)]
    if ('problem' in startsOn) return startsOn
    if ('problem' in endsOn) return endsOn
    spans.push({ market, startsOn: startsOn.value, endsOn: endsOn.value })
  }
  return { value: spans }
}

const optionalDay = (text: string): Reading<string | null> => (text.trim() === '' ? { value: null } : readDay(text))

/** A booked line whose market is a name. */
export type NamedLine = Omit<BookedLineInput, 'marketUid'> & { market: string }

const LINE = /^(.+?): ?([\d,.]+) ?([a-z -]+?) ?\((.+?) ?(?:–|—|-(?= )|\bto\b) ?(.+?)(?:, ?(\$?[\d,.]+))?\)$/i
const A_LINE = 'Must be lines such as Houston: 60 truck-days (6/1/2026 – 8/31/2026, $54,000.00).'

/** Reads booked lines as the export writes them. */
export function readBookedLines(text: string): Reading<NamedLine[]> {
  const lines: NamedLine[] = []
  for (const part of partsOf(text)) {
    const [, market, amountText = '', unitText = '', from = '', to = '', priceText] = LINE.exec(part) ?? []
    if (market === undefined) return { problem: A_LINE }
    const [amount, unit] = [readWhole(amountText), readUnit(unitText)]
    const [startsOn, endsOn] = [readDay(from), readDay(to)]
    const price: Reading<number | null> = priceText === undefined ? { value: null } : readMoney(priceText)
    for (const read of [amount, unit, startsOn, endsOn, price]) if ('problem' in read) return read
    if ('problem' in amount || 'problem' in unit || 'problem' in startsOn || 'problem' in endsOn || 'problem' in price)
      return { problem: A_LINE }
    lines.push({
      market,
      unit: unit.value,
      amount: amount.value,
      startsOn: startsOn.value,
      endsOn: endsOn.value,
      priceCents: price.value,
    })
  }
  return { value: lines }
}
