import { formatCount } from '@roadshow/contract/platform/figures'
import type { ScreenState } from '@roadshow/contract/live/screens'
import { EM_DASH } from '../../ui/text/dash.ts'

type Health = NonNullable<ScreenState['health']>
type Screen = NonNullable<Health['screen']>

const known = (value: number | null | undefined): value is number => typeof value === 'number'

const gpsText: Record<NonNullable<Screen['gpsSource']>, string> = {
  bridge: 'GPS receiver on the truck',
  browser: 'Location of the computer',
  server: 'Position from the server',
}

/** The clock of a device against the server's: `0.1 s behind`. */
export function clockText(offsetMs: number): string {
  if (Math.abs(offsetMs) < 50) return 'on time'
  const ms = Math.abs(offsetMs)
  const size = ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${formatCount(Math.round(ms / 60_000))} min`
  return `${size} ${offsetMs > 0 ? 'ahead' : 'behind'}`
}

/** Frames that came too late, as a share of all: `0.02%`. */
export function droppedText({ droppedFrames, shownFrames }: Pick<Screen, 'droppedFrames' | 'shownFrames'>): string {
  if (!known(droppedFrames) || !known(shownFrames)) return EM_DASH
  const all = shownFrames
  if (all === 0) return 'no frames yet'
  const percent = (Math.min(droppedFrames, all) / all) * 100
  return percent > 0 && percent < 0.01 ? 'under 0.01%' : `${percent.toFixed(2)}%`
}

/** `3 of 5 files`. */
export const filesText = ({ filesHeld, filesNeeded }: Pick<Screen, 'filesHeld' | 'filesNeeded'>): string =>
  known(filesHeld) && known(filesNeeded)
    ? `${filesHeld} of ${filesNeeded} ${filesNeeded === 1 ? 'file' : 'files'}`
    : EM_DASH

/** How much of its files a screen holds, in percent by bytes where it says so; undefined where it says nothing. */
export function filesPercent({ filesHeld, filesNeeded, bytesHeld, bytesNeeded }: Screen): number | undefined {
  const [held, needed] = known(bytesHeld) && known(bytesNeeded) ? [bytesHeld, bytesNeeded] : [filesHeld, filesNeeded]
  if (!known(held) || !known(needed)) return undefined
  if (needed === 0) return 100
  // Never 100 before the last byte.
  const percent = Math.floor((held / needed) * 100)
  return Math.min(held < needed ? 99 : 100, percent)
}

const playsText = ({ playsWaiting, playsLost }: Screen): string => {
  const waiting = known(playsWaiting) ? formatCount(playsWaiting) : EM_DASH
  return playsLost ? `${waiting}, ${formatCount(playsLost)} lost` : waiting
}

/** What a screen says about itself, in words. */
export const healthFacts = ({ screen, clockOffsetMs, appVersion }: Health): [name: string, value: string][] => [
  ['Clock', clockText(screen?.clockOffsetMs ?? clockOffsetMs)],
  ...(screen
    ? ([
        ['Dropped frames', droppedText(screen)],
        ['Plays waiting', playsText(screen)],
        ['GPS', screen.gpsSource ? gpsText[screen.gpsSource] : 'None'],
        ...(screen.lastProblem ? [['Last problem', screen.lastProblem]] : []),
      ] as [string, string][])
    : []),
  ...(appVersion ? ([['Version', appVersion]] as [string, string][]) : []),
]
