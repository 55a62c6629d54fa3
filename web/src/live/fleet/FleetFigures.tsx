import { formatWeekday } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import { motionOf } from '@roadshow/contract/live/fleet'
import type { FiguresDay, LiveTruck, Motion, ShiftStage } from '@roadshow/contract/live/fleet'
import { readAdLog } from '@roadshow/contract/proof/ad-log-access'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import { SkeletonLine, ErrorState } from '../../ui/states.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Row } from '../../ui/layout.tsx'
import shared from './overview.module.css'
import { useFigures } from './useFigures.ts'
import { useShowIssues } from '../issues/useShowIssues.ts'
import styles from './FleetFigures.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

// Most readers of the page do not need it.
const PlaysToday = lazyPart(() => import('./PlaysToday.tsx'), { waiting: () => <SkeletonLine /> })

const ADS = { access: readAdLog }

interface FleetFiguresProps {
  /** As they move; before they are known, the server's figures count. */
  trucks: readonly LiveTruck[] | undefined
  motion: Motion | undefined
  onMotion: (motion: Motion | undefined) => void
  stage: ShiftStage | undefined
  onStage: (stage: ShiftStage | undefined) => void
  /** Figures of other neighborhoods, beside those of today. */
  more?: ReactNode
}

const motions: [Motion, string, Tone][] = [
  ['moving', 'Moving', 'driving'],
  ['parked', 'Parked', 'parked'],
  ['silent', 'Silent', 'silent'],
]
const stages: [ShiftStage, string, Tone | undefined][] = [
  ['planned', 'Planned', undefined],
  ['out', 'Out', undefined],
  ['late', 'Late', 'warn'],
  ['done', 'Done', undefined],
]

/** The figures of today. Each is a filter: of trucks on the map, or of shifts in their list. */
export function FleetFigures({ trucks, motion, onMotion, stage, onStage, more }: FleetFiguresProps) {
  const found = useFigures()
  const figures = found.data
  const [isPlaysShown, showPlays] = useState(false)
  const countOf = (which: Motion) =>
    trucks ? trucks.filter((truck) => motionOf(truck) === which).length : figures?.trucks[which]
  if (found.isError && !figures) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <>
      <div className={styles.figures} role="group" aria-label="Figures of today">
        <Group name="Trucks">
          {motions.map(([which, label, tone]) => (
            <Figure
              key={which}
              label={label}
              count={countOf(which)}
              tone={tone}
              isOn={motion === which}
              onToggle={(isOn) => onMotion(isOn ? which : undefined)}
            />
          ))}
        </Group>
        <Group name="Shifts">
          {stages.map(([which, label, tone]) => (
            <Figure
              key={which}
              label={label}
              count={figures?.shifts[which]}
              tone={figures?.shifts[which] ? tone : undefined}
              isOn={stage === which}
              onToggle={(isOn) => onStage(isOn ? which : undefined)}
            />
          ))}
        </Group>
        <Group name="Today">
          <PlaysFigure
            count={figures?.plays}
            today={figures?.today}
            isByProgram={isPlaysShown}
            onByProgram={showPlays}
          />
          <OpenIssues count={figures?.openIssues} snoozed={figures?.snoozedIssues} />
          {more}
        </Group>
      </div>
      {isPlaysShown && figures && <PlaysToday day={figures.today.day} />}
    </>
  )
}

interface PlaysFigureProps {
  count: number | undefined
  today: FiguresDay | undefined
  isByProgram: boolean
  onByProgram: (isOn: boolean) => void
}

/** What a day of several markets is: they pass midnight one after another. */
function describeMarkets({ markets, isOverSomewhere }: FiguresDay): string | undefined {
  if (markets < 2) return undefined
  return isOverSomewhere ? 'in each market, until it ends in all' : 'today in each market'
}

/** The plays of a day, which lead to their rows in the ad log; by program they stand below. */
function PlaysFigure({ count, today, isByProgram, onByProgram }: PlaysFigureProps) {
  const mayList = useMay(ADS)
  const label = today ? `Plays ${formatWeekday(today.day)}` : 'Plays'
  const content = { label, count, note: today && describeMarkets(today) }
  if (!mayList) return <Figure {...content} isOn={isByProgram} onToggle={onByProgram} />
  return (
    <>
      <Link to="/ad-log" search={today && { from: today.day, to: today.day }} className={styles.figure}>
        <FigureContent {...content} />
      </Link>
      <button
        type="button"
        className={styles.more}
        aria-pressed={isByProgram}
        onClick={() => onByProgram(!isByProgram)}
      >
        By program
      </button>
    </>
  )
}

/** Leads to the list of these issues below; snoozed ones are counted apart. */
function OpenIssues({ count, snoozed }: { count: number | undefined; snoozed: number | undefined }) {
  const showIssues = useShowIssues()
  return (
    <Figure
      label={snoozed ? `Open issues, ${snoozed} snoozed` : 'Open issues'}
      count={count}
      tone={count ? 'bad' : undefined}
      onToggle={() => showIssues(snoozed ? { snoozed: 'no' } : {})}
    />
  )
}

const Group = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={styles.group} role="group" aria-label={name}>
    <span className={styles.groupName} aria-hidden>
      {name}
    </span>
    <Row>{children}</Row>
  </div>
)

interface FigureProps {
  label: string
  count: number | undefined
  tone?: Tone | undefined
  /** A quiet line below. */
  note?: string | undefined
  isOn?: boolean
  /** Without one it is only read. */
  onToggle?: (isOn: boolean) => void
}

export const FigureContent = ({ label, count, tone, note }: Pick<FigureProps, 'label' | 'count' | 'tone' | 'note'>) => (
  <>
    <span className={styles.count}>{count === undefined ? <SkeletonLine /> : formatCount(count)}</span>
    <span className={styles.countLabel}>
      {tone && <span className={shared.dot} data-tone={tone} style={{ color: `var(--${tone})` }} aria-hidden />}
      {label}
    </span>
    {note !== undefined && <span className={styles.note}>{note}</span>}
  </>
)

function Figure({ label, count, tone, note, isOn, onToggle }: FigureProps) {
  const content = <FigureContent label={label} count={count} tone={tone} note={note} />
  if (!onToggle) return <div className={styles.figure}>{content}</div>
  return (
    <button type="button" className={styles.figure} aria-pressed={isOn} onClick={() => onToggle(!isOn)}>
      {content}
    </button>
  )
}
