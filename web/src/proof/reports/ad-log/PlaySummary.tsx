import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { AccountedFigures, AdLogSummary } from '@roadshow/contract/proof/ad-log'
import { Link } from '@tanstack/react-router'
import { Segmented } from 'antd'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { localZone } from '@roadshow/contract/platform/dates'
import { useMay } from '../../../api/user.ts'
import { Soft } from '../../../ui/layout.tsx'
import type { UrlSearch } from '../../../ui/useListState.ts'
import { useSearchParam } from '../../../ui/useSearchParam.ts'
import { formatCount } from '@roadshow/contract/platform/figures'
import { FiguresTable } from '../FiguresTable.tsx'
import { UNSTORED } from '../FilterLink.tsx'
import type { OtherFilters } from '../FilterLink.tsx'
import type { FiguresRow } from '../FiguresTable.tsx'
import { PlayChart } from './PlayChart.tsx'
import { PlayTotals } from './PlayTotals.tsx'
import { figuresOfSide, figuresOfSomeSides } from './playGrades.ts'
import type { KnownFigures } from './playGrades.ts'
import { dayNamer } from './playTime.ts'
import { asksForShifts } from './useLogFilters.ts'
import type { LogFilters } from './useLogFilters.ts'
import styles from '../reports.module.css'

const ways = { day: 'Day', side: 'Side', truck: 'Truck' } as const
type Way = keyof typeof ways

const isWay = (way: string | undefined): way is Way => way !== undefined && way in ways

/** The filters of the rows behind numbers that are no plays, where the user may list them and they can be known. */
function useOtherFilters({ side, ...filters }: LogFilters): OtherFilters {
  const isListed = !side && !filters.address
  const mayListUnassigned = useMay(adLog.unassigned)
  const mayListUnstored = useMay(adLog.unstored)
  const { program, truck, from, to } = filters
  const shared = { program, from, to, truck }
  return {
    unassigned: mayListUnassigned && isListed && !asksForShifts(filters) && !filters.client ? shared : undefined,
    unstored: mayListUnstored && isListed ? { ...shared, ...filters } : undefined,
  }
}

/** Filters narrowed to one row of a table. */
const narrowed = ({ unassigned, unstored }: OtherFilters, to: UrlSearch): OtherFilters => ({
  unassigned: unassigned && { ...unassigned, ...to },
  unstored: unstored && { ...unstored, ...to },
})

type Known = (figures: AccountedFigures) => KnownFigures

/** Missing and rejected numbers have no side and no SD address. */
const knownOf = ({ side, address }: LogFilters): Known => (side || address ? figuresOfSomeSides : (figures) => figures)

function rowsBy(way: Way, summary: AdLogSummary, known: Known, others: OtherFilters): FiguresRow[] {
  const { days, sides, trucks } = summary
  if (way === 'side')
    return sides.map(({ side, ...figures }) => ({
      ...figuresOfSide(figures),
      key: side,
      name: truckSideLabel[side],
      playFilters: { side },
    }))
  if (way === 'truck')
    return trucks.map(({ truck, ...figures }) => ({
      ...known(figures),
      key: truck.uid,
      name: truck.name,
      playFilters: { truck: truck.uid },
      otherFilters: narrowed(others, { truck: truck.uid }),
    }))
  const nameOf = dayNamer(days[0]?.day ?? '', days.at(-1)?.day ?? '')
  return days.map(({ day, ...figures }) => ({
    ...known(figures),
    key: day,
    name: nameOf(day),
    playFilters: { day: undefined, from: day, to: day },
    otherFilters: narrowed(others, { day: undefined, from: day, to: day }),
  }))
}

interface PlaySummaryProps {
  /** Undefined while it is on its way. */
  summary: AdLogSummary | undefined
  filters: LogFilters
}

/** How many were played and how sure that is: over time, and by day, side or truck. */
export function PlaySummary({ summary, filters }: PlaySummaryProps) {
  const known = knownOf(filters)
  const { from } = filters
  const others = useOtherFilters(filters)
  return (
    <>
      <PlayTotals total={summary && known(summary.total)} filters={filters} otherFilters={others} />
      {summary && summary.jumps > 0 && <OpenJumps count={summary.jumps} unstored={others.unstored} />}
      {!summary && <div className={styles.bones} style={{ height: 176 }} aria-hidden />}
      {summary && from && (
        <PlayChart
          days={summary.days.map(({ day, ...figures }) => ({ day, ...known(figures) }))}
          from={from}
          to={filters.to ?? localDay(localZone())}
        />
      )}
      {summary && <FiguresBy summary={summary} known={known} otherFilters={others} />}
    </>
  )
}

/** Numbers that are counted nowhere until someone has decided what they are. */
const OpenJumps = ({ count, unstored }: { count: number; unstored: OtherFilters['unstored'] }) => (
  <p role="status" className={styles.hint}>
    {count === 1 ? 'The counter of a player jumped.' : `Counters of players jumped ${formatCount(count)} times.`} These
    numbers are not counted yet.{' '}
    {unstored && (
      <Link to="." search={{ view: UNSTORED, kind: 'jump', ...unstored }}>
        Decide whether they are missing
      </Link>
    )}
  </p>
)

interface FiguresByProps {
  summary: AdLogSummary
  known: Known
  otherFilters: OtherFilters
}

function FiguresBy({ summary, known, otherFilters }: FiguresByProps) {
  const [asked, show] = useSearchParam('by')
  const way = isWay(asked) ? asked : 'day'
  const { missing, rejected, unassigned } = summary.total
  return (
    <>
      <div className={`${styles.tools} outlines-segmented`}>
        <Segmented<Way>
          aria-label="Figures by"
          options={Object.entries(ways).map(([value, word]) => ({
            value: value as Way,
            label: `By ${word.toLowerCase()}`,
          }))}
          value={way}
          onChange={(next) => show(next === 'day' ? undefined : next)}
        />
        {way === 'side' && missing + rejected + (unassigned ?? 0) > 0 && (
          <Soft small className={styles.hint}>
            Missing, rejected and unassigned plays are not counted by side.
          </Soft>
        )}
      </div>
      <FiguresTable
        key={way}
        of={ways[way]}
        rows={rowsBy(way, summary, known, otherFilters)}
        total={known(summary.total)}
      />
    </>
  )
}
