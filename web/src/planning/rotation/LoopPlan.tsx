import { formatTimeOnly } from '@roadshow/contract/platform/dates'
import { formatCount, formatPercent } from '@roadshow/contract/platform/figures'
import type { Loop } from '@roadshow/contract/planning/loop-lines'
import { plannedHours, plannedShares } from '@roadshow/contract/planning/loop-plan'
import type { PlannedHour } from '@roadshow/contract/planning/loop-plan'
import { Button } from 'antd'
import { memo, useEffect, useMemo } from 'react'
import { bothOf, programColors } from '../../brand/colors.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ReplayClock } from '../../ui/moment/replayClock.ts'
import { useMoment } from '../../ui/moment/useMoment.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import styles from './LoopPlan.module.css'

/** How exactly a moment is shown. */
const STEP = 5000
const HOUSE = 'House artwork'

/** Lines by their place, so that two showings of one set differ. */
const colorAt = (index: number) => bothOf(programColors[index % programColors.length] ?? programColors[0])

interface LoopPlanProps {
  loop: Loop
  /** What each line shows, by its uid. */
  names: ReadonlyMap<string, string>
  from: number
  to: number
}

/** What a screen shows between two moments: how often each line, hour by hour, and the turns of an hour as they follow. */
export function LoopPlan({ loop, names, from, to }: LoopPlanProps) {
  const hours = useMemo(() => plannedHours(loop, { from, to }), [loop, from, to])
  const shown = useMemo(
    (): Shown => ({
      zone: loop.zone,
      lines: [
        ...loop.lines.map(({ uid }, index) => ({ uid, name: names.get(uid) ?? '', color: colorAt(index) })),
        { uid: null, name: HOUSE, color: 'var(--line)' },
      ],
    }),
    [loop, names],
  )
  const clock = useMemo(() => new ReplayClock(from, to, from), [from, to])
  useEffect(() => clock.pause, [clock])
  return (
    <Stack gap={3}>
      <Shares hours={hours} shown={shown} />
      <HourColumns hours={hours} shown={shown} clock={clock} />
      <LoopPlayback hours={hours} shown={shown} clock={clock} />
    </Stack>
  )
}

interface Shown {
  zone: string
  /** In their order, and the house artwork. */
  lines: { uid: string | null; name: string; color: string }[]
}

/** The plays of each line and its part of the time, over all hours. */
function Shares({ hours, shown }: Omit<HoursProps, 'clock'>) {
  const shares = useMemo(() => plannedShares(hours.flatMap(({ turns }) => turns)), [hours])
  const total = [...shares.values()].reduce((sum, { ms }) => sum + ms, 0)
  return (
    <FactTable
      label="Expected plays"
      rows={shown.lines.filter(({ uid }) => uid !== null || shares.has(null))}
      rowKey={({ uid }) => uid ?? ''}
      columns={[
        {
          title: 'Artwork',
          render: ({ name, color }) => (
            <Row gap={2} align="center">
              <span className={styles.swatch} style={{ background: color }} />
              {name}
            </Row>
          ),
        },
        {
          title: 'Plays',
          isNumber: true,
          render: ({ uid }) => (uid === null ? '' : formatCount(shares.get(uid)?.plays ?? 0)),
        },
        {
          title: 'Screen time',
          isNumber: true,
          render: ({ uid }) => formatPercent(total === 0 ? 0 : (shares.get(uid)?.ms ?? 0) / total),
        },
      ]}
    />
  )
}

interface HoursProps {
  hours: readonly PlannedHour[]
  shown: Shown
  clock: ReplayClock
}

/** `Breakfast 80, Dinner 160` */
function playsText({ turns }: PlannedHour, shown: Shown): string {
  const shares = plannedShares(turns)
  return shown.lines
    .filter(({ uid }) => shares.has(uid))
    .map(({ uid, name }) => (uid === null ? name : `${name} ${formatCount(shares.get(uid)?.plays ?? 0)}`))
    .join(', ')
}

/** The screen time of each hour, shared out among the lines; each hour leads to its turns. */
const HourColumns = memo(({ hours, shown, clock }: HoursProps) => (
  <ol className={styles.hours} aria-label="By hour">
    {hours.map((hour, index) => {
      const shares = plannedShares(hour.turns)
      const words = formatTimeOnly(hour.from, shown.zone)
      const text = `${words}: ${playsText(hour, shown)}`
      return (
        <li key={hour.from}>
          <button type="button" title={text} aria-label={text} onClick={() => clock.moveTo(hour.from)}>
            <span className={styles.column}>
              {shown.lines.map(({ uid, color }) => (
                <span key={uid} style={{ flexGrow: shares.get(uid)?.ms ?? 0, background: color }} />
              ))}
            </span>
            <Soft small className={styles.hour} data-quiet={index % 3 !== 0}>
              {words.replace(':00', '')}
            </Soft>
          </button>
        </li>
      )
    })}
  </ol>
))

interface StripProps {
  hour: PlannedHour
  shown: Shown
}

const partOf = ({ from, to }: PlannedHour, ms: number) => `${(ms / (to - from)) * 100}%`

/** The turns of an hour. */
const Strip = memo(({ hour, shown }: StripProps) =>
  hour.turns.map((turn) => (
    <div
      key={turn.startsAt}
      style={{
        left: partOf(hour, turn.startsAt - hour.from),
        width: partOf(hour, turn.endsAt - turn.startsAt),
        background: shown.lines.find(({ uid }) => uid === (turn.line?.uid ?? null))?.color,
      }}
    />
  )),
)

/** The turns as they follow one another, a minute in a second. */
function LoopPlayback({ hours, shown, clock }: HoursProps) {
  const isPlaying = useMoment(clock, (now) => now.isPlaying)
  const at = useMoment(clock, (now) => Math.floor(now.at / STEP) * STEP)
  const hour = hours.findLast(({ from }) => from <= at) ?? hours[0]
  if (!hour) return null
  const turn = hour.turns.findLast(({ startsAt }) => startsAt <= at)
  const name = shown.lines.find(({ uid }) => uid === (turn?.line?.uid ?? null))?.name ?? ''
  const time = formatTimeOnly(at, shown.zone)
  return (
    <Stack gap={2}>
      <Soft small>
        From {formatTimeOnly(hour.from, shown.zone)}: {playsText(hour, shown)}
      </Soft>
      <div className={styles.strip} aria-hidden>
        <Strip hour={hour} shown={shown} />
        <div className={styles.head} style={{ left: partOf(hour, at - hour.from) }} />
      </div>
      <input
        type="range"
        className={styles.range}
        aria-label="Moment"
        // While it plays, each turn would be read out.
        aria-valuetext={isPlaying ? time : `${time}: ${name}`}
        min={clock.from}
        max={clock.to}
        step={STEP}
        value={at}
        onChange={({ target }) => clock.moveTo(Number(target.value))}
      />
      <Row gap={3} align="center" wrap>
        <Button onClick={clock.toggle}>{isPlaying ? 'Pause' : 'Play, a minute a second'}</Button>
        <span className="figures">{time}</span>
        <strong>{name}</strong>
      </Row>
    </Stack>
  )
}
