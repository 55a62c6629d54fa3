import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { formatClocks, formatMinutes, formatTimeOnly, formatTimes } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import type { ComparedHour, ComparedLine, ComparedShare } from '@roadshow/contract/planning/loop-delivery'
import type { Rotation } from '@roadshow/contract/planning/rotations'

const MINUTE_MS = 60_000
/** More parts are summed up. */
const LISTED_PARTS = 3

/** `Breakfast`; `Dinner (2 lines)` for lines that count together; `Dinner, 4:00–10:00 PM` where a set has several. */
export function lineNames(lines: readonly ComparedLine[], { lines: stored }: Rotation): string[] {
  const names = lines.map(({ uids, setUid }) => {
    const first = stored.find(({ uid }) => uid === uids[0])
    const name = first?.artworkSet.name ?? ''
    if (uids.length > 1) return `${name} (${uids.length} lines)`
    const isOnly = lines.filter((line) => line.setUid === setUid).length === 1
    if (isOnly || !first?.from || !first.to) return name
    return `${name}, ${formatClocks({ start: first.from, end: first.to })}`
  })
  // Sets may share a name, and lines their hours on different days.
  return names.map((name, index) => (names.indexOf(name) === index ? name : `${name}, line ${index + 1}`))
}

/** What the table says of an hour beside its time. */
export function hourNote(hour: ComparedHour, zone: string): string {
  if (hour.stage === 'ahead') return 'Planned'
  if (hour.stage === 'running') return 'Not over yet'
  const ran = ranText(hour, zone)
  if (ran) return ran
  return hour.forAddresses > 0 ? 'SD addresses took turns' : ''
}

/** `Screen ran 8:12–9:00 PM`; empty if it ran all the time. */
function ranText({ from, to, ran }: ComparedHour, zone: string): string {
  const [first] = ran
  if (!first) return 'No plays'
  if (first.from === from && first.to === to) return ''
  if (ran.length > LISTED_PARTS)
    return `Screen ran ${formatMinutes(Math.round(ran.reduce((sum, part) => sum + part.to - part.from, 0) / MINUTE_MS))}`
  return `Screen ran ${ran.map((part) => partText(part, zone)).join(', ')}`
}

/** `8:12–9:00 PM`, or `8:12 PM` for a single play. */
const partText = ({ from, to }: { from: number; to: number }, zone: string) =>
  formatTimeOnly(from, zone) === formatTimeOnly(to, zone) ? formatTimeOnly(from, zone) : formatTimes(from, to, zone)

/** What an hour to come will have: `80 expected`; empty where a line is not due. */
export const expectedText = ({ expected }: ComparedShare): string =>
  expected === 0 ? '' : `${formatCount(expected)} expected`

/** `79 of 80`; `78–80 of 80` where sides differ; empty where a line was not due and did not play. */
export function shareText({ expected, delivered }: ComparedShare): string {
  const [least, most] = [Math.min(...delivered), Math.max(...delivered)]
  if (expected === 0 && !(most > 0)) return ''
  const played = delivered.length === 0 ? '0' : formatCount(least)
  return `${least < most ? `${played}–${formatCount(most)}` : played} of ${formatCount(expected)}`
}

/** `Driver side 79`, a line for each side, where they differ. */
export const sideTexts = ({ delivered }: ComparedShare, sides: readonly TruckSide[]): string[] =>
  new Set(delivered).size > 1
    ? sides.map((side, index) => `${truckSideLabel[side]} ${formatCount(delivered[index] ?? 0)}`)
    : []

/** `3 fewer`; empty for what is as exact as a plan can be. */
export function differenceText(difference: number | null): string {
  if (difference === null || Math.abs(difference) <= 1) return ''
  return `${formatCount(Math.abs(difference))} ${difference < 0 ? 'fewer' : 'more'}`
}
