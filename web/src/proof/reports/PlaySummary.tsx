import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { AdLogSummary } from '@roadshow/contract/proof/reports'
import { Segmented } from 'antd'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { FigureStrip } from './FigureStrip.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { playTimeText, shareText } from './reportNumbers.ts'
import { FiguresTable } from './FiguresTable.tsx'
import type { FiguresRow } from './FiguresTable.tsx'
import { PlayChart } from './PlayChart.tsx'
import { expected, parts } from './playGrades.ts'
import styles from './reports.module.css'

const ways = { day: 'Day', side: 'Side', truck: 'Truck' } as const
type Way = keyof typeof ways

const isWay = (way: string | undefined): way is Way => way !== undefined && way in ways

function rowsBy(way: Way, { days, sides, trucks }: AdLogSummary): FiguresRow[] {
  if (way === 'side') return sides.map((each) => ({ ...each, key: each.side, name: truckSideLabel[each.side] }))
  if (way === 'truck') return trucks.map((each) => ({ ...each, key: each.truck.uid, name: each.truck.name }))
  return days.map((each) => ({ ...each, key: each.day, name: each.day }))
}

interface PlaySummaryProps {
  /** Undefined while it is on its way. */
  summary: AdLogSummary | undefined
  from: string
  to: string
}

/** How many were played and how sure that is: over time, and by day, side or truck. */
export function PlaySummary({ summary, from, to }: PlaySummaryProps) {
  const [asked, show] = useSearchParam('by')
  const way = isWay(asked) ? asked : 'day'
  const total = summary?.total
  return (
    <>
      <FigureStrip
        label="Totals of the report"
        figures={[
          { word: 'Plays', figure: total && formatCount(total.plays) },
          ...parts.map(({ key, word, tone }) => ({
            word,
            tone,
            figure: total && formatCount(total[key]),
            more: total && shareText(total[key], key === 'missing' ? expected(total) : total.plays),
          })),
          { word: 'Time shown', figure: total && playTimeText(total.seconds) },
        ]}
      />
      {summary ? (
        <PlayChart days={summary.days} from={from} to={to} />
      ) : (
        <div className={styles.bones} style={{ height: 176 }} aria-hidden />
      )}
      {summary && (
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
            {way === 'side' && summary.total.missing > 0 && (
              <span className={styles.hint}>Missing plays can’t be assigned to a side.</span>
            )}
          </div>
          <FiguresTable key={way} of={ways[way]} rows={rowsBy(way, summary)} total={summary.total} />
        </>
      )}
    </>
  )
}
