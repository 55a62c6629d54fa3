import { formatTimeOnly } from '@roadshow/contract/platform/dates'
import { formatCount, formatPercent } from '@roadshow/contract/platform/figures'
import type { Loop } from '@roadshow/contract/planning/loop-lines'
import { plannedHours, plannedShares } from '@roadshow/contract/planning/loop-plan'
import type { PlannedHour } from '@roadshow/contract/planning/loop-plan'
import type { Turn } from '@roadshow/contract/planning/loop-rules'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { bothOf, programColors } from '../../brand/colors.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ReplayClock } from '../../ui/moment/replayClock.ts'
import { useMoment } from '../../ui/moment/useMoment.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import styles from './LoopPlan.module.css'

const SECOND = 1000
const MINUTE = 60 * SECOND
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
  const colors = useMemo(() => new Map(loop.lines.map(({ uid }, index) => [uid, colorAt(index)])), [loop])
  const shown: Shown = {
    zone: loop.zone,
    order: loop.lines.map(({ uid }) => uid),
    nameOf: (turn) => (turn?.line ? (names.get(turn.line.uid) ?? '') : HOUSE),
    colorOf: (turn) => (turn.line ? colors.get(turn.line.uid) : undefined) ?? 'var(--line)',
  }
  return (
    <Stack gap={3}>
      <Shares loop={loop} names={names} hours={hours} colors={colors} />
      <HourColumns hours={hours} shown={shown} />
      <LoopPlayback key={`${from} ${to}`} hours={hours} shown={shown} />
    </Stack>
  )
}

interface Shown {
  zone: string
  /** The uids of the lines. */
  order: readonly string[]
  nameOf: (turn: Turn | undefined) => string
  colorOf: (turn: Turn) => string
}

interface SharesProps extends Pick<LoopPlanProps, 'loop' | 'names'> {
  hours: readonly PlannedHour[]
  colors: ReadonlyMap<string, string>
}

/** The plays of each line and its part of the time, over all hours. */
function Shares({ loop, names, hours, colors }: SharesProps) {
  const shares = useMemo(() => plannedShares(hours.flatMap(({ turns }) => turns)), [hours])
  const total = [...shares.values()].reduce((sum, { ms }) => sum + ms, 0)
  const rows = [
    ...loop.lines.map(({ uid }) => ({ uid, name: names.get(uid) ?? '', share: shares.get(uid) })),
    ...(shares.has(null) ? [{ uid: '', name: HOUSE, share: shares.get(null) }] : []),
  ]
  return (
    <FactTable
      label="Expected plays"
      rows={rows}
      rowKey={({ uid }) => uid}
      columns={[
        {
          title: 'Artwork',
          render: ({ uid, name }) => (
            <Row gap={2} align="center">
              <span className={styles.swatch} style={{ background: colors.get(uid) ?? 'var(--line)' }} />
              {name}
            </Row>
          ),
        },
        { title: 'Plays', isNumber: true, render: ({ uid, share }) => (uid ? formatCount(share?.plays ?? 0) : '') },
        {
          title: 'Screen time',
          isNumber: true,
          render: ({ share }) => formatPercent(total === 0 ? 0 : (share?.ms ?? 0) / total),
        },
      ]}
    />
  )
}

/** The screen time of each hour, shared out among the lines. */
const HourColumns = ({ hours, shown }: { hours: readonly PlannedHour[]; shown: Shown }) => (
  <ol className={styles.hours} aria-label="By hour">
    {hours.map(({ from, turns }, index) => {
      const shares = plannedShares(turns)
      const parts = [...shown.order, null].flatMap((uid) => turns.find(({ line }) => (line?.uid ?? null) === uid) ?? [])
      const words = parts.map((turn) => {
        const plays = shares.get(turn.line?.uid ?? null)?.plays ?? 0
        return turn.line ? `${shown.nameOf(turn)} ${formatCount(plays)}` : shown.nameOf(turn)
      })
      const hour = formatTimeOnly(from, shown.zone)
      return (
        <li key={from} title={`${hour}: ${words.join(', ')}`} aria-label={`${hour}: ${words.join(', ')}`}>
          <div className={styles.column} aria-hidden>
            {parts.map((turn) => (
              <div
                key={turn.line?.uid ?? ''}
                style={{ flexGrow: shares.get(turn.line?.uid ?? null)?.ms ?? 0, background: shown.colorOf(turn) }}
              />
            ))}
          </div>
          <Soft small aria-hidden className={styles.hour} data-quiet={index % 3 !== 0}>
            {hour.replace(':00', '').replace(/ \w+T$/, '')}
          </Soft>
        </li>
      )
    })}
  </ol>
)

/** The turns as they follow one another, a minute in a second. */
function LoopPlayback({ hours, shown }: { hours: readonly PlannedHour[]; shown: Shown }) {
  const [from, to] = [hours[0]?.from ?? 0, hours.at(-1)?.to ?? 0]
  const [clock] = useState(() => new ReplayClock(from, to, from))
  useEffect(() => clock.pause, [clock])
  const isPlaying = useMoment(clock, (now) => now.isPlaying)
  const second = useMoment(clock, ({ at }) => Math.floor(at / SECOND) * SECOND)
  const hour = hours.findLast(({ from }) => from <= second) ?? hours[0]
  const turn = hour?.turns.findLast(({ startsAt }) => startsAt <= second)
  if (!hour) return null
  const part = (ms: number) => `${(ms / (hour.to - hour.from)) * 100}%`
  return (
    <Stack gap={2}>
      <div className={styles.strip} aria-hidden>
        {hour.turns.map((each) => (
          <div
            key={each.startsAt}
            style={{
              left: part(each.startsAt - hour.from),
              width: part(each.endsAt - each.startsAt),
              background: shown.colorOf(each),
            }}
          />
        ))}
        <div className={styles.head} style={{ left: part(second - hour.from) }} />
      </div>
      <input
        type="range"
        className={styles.range}
        aria-label="Moment"
        aria-valuetext={`${formatTimeOnly(second, shown.zone)}: ${shown.nameOf(turn)}`}
        min={from}
        max={to}
        step={MINUTE / 12}
        value={second}
        onChange={({ target }) => clock.moveTo(Number(target.value))}
      />
      <Row gap={3} align="center" wrap>
        <Button onClick={clock.toggle}>{isPlaying ? 'Pause' : 'Play, a minute a second'}</Button>
        <span className="figures">{formatTimeOnly(second, shown.zone)}</span>
        <strong>{shown.nameOf(turn)}</strong>
      </Row>
    </Stack>
  )
}
