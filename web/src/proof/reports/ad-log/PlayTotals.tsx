import type { PopGrade } from '@roadshow/contract/proof/pop-document'
import type { ReactNode } from 'react'
import { formatCount } from '@roadshow/contract/platform/figures'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { Soft } from '../../../ui/layout.tsx'
import { FigureStrip } from '../FigureStrip.tsx'
import { FilterLink, OtherFigure } from '../FilterLink.tsx'
import type { OtherFilters } from '../FilterLink.tsx'
import { numbersText, partsOf } from './playGrades.ts'
import type { KnownFigures, parts } from './playGrades.ts'
import { playTimeText, shareText } from '../reportNumbers.ts'
import { shiftWordOf } from './useLogFilters.ts'
import type { LogFilters } from './useLogFilters.ts'
import styles from '../reports.module.css'

interface PlayTotalsProps {
  /** Undefined while it is on its way. */
  total: KnownFigures | undefined
  filters: LogFilters
  /** The filters of the numbers that are no plays. */
  otherFilters: OtherFilters
}

type Part = (typeof parts)[number]

const isGrade = (key: Part['key']): key is PopGrade => key === 'verified' || key === 'unverified' || key === 'conflict'

/** A figure of the strip; it leads to its rows where they are listed. */
function figureOf({ key, word }: Part, total: KnownFigures, otherFilters: OtherFilters): ReactNode {
  const count = total[key]
  if (count === null) return EM_DASH
  if (count === 0) return '0'
  if (isGrade(key))
    return (
      <FilterLink filters={{ grade: key }} label={`${word} plays`}>
        {formatCount(count)}
      </FilterLink>
    )
  return <OtherFigure part={key} filters={otherFilters} label={`${word} plays`} count={count} />
}

/** The share of a figure; grades are shares of the plays, the others of the numbers used. */
function shareOf({ key }: Part, total: KnownFigures): string | undefined {
  const [count, whole] = [total[key], isGrade(key) ? total.plays : total.numbers]
  if (count === null || whole === null) return undefined
  const share = shareText(count, whole)
  return key === 'unverified' && total.noTrack
    ? `${share}, no independent GPS data: ${formatCount(total.noTrack)}`
    : share
}

/** Why a figure is a dash. */
function unknownText(filters: LogFilters): string[] {
  const word = shiftWordOf(filters)
  return [
    ...(word ? [`Unassigned plays belong to no shift, so they can’t be counted for ${word}.`] : []),
    ...(filters.address ? ['Missing and rejected plays can’t be assigned to an SD address.'] : []),
    ...(filters.side ? ['Missing and rejected plays can’t be assigned to a side.'] : []),
  ]
}

/** The totals of the ad log, and how they add up to the numbers that players have used. */
export function PlayTotals({ total, filters, otherFilters }: PlayTotalsProps) {
  const text = [total && numbersText(total), ...unknownText(filters)].filter(Boolean).join(' ')
  return (
    <>
      <FigureStrip
        label="Totals of the report"
        figures={[
          { word: 'Plays', figure: total && formatCount(total.plays) },
          ...partsOf(total ?? { duplicates: 0 }).map((part) => ({
            word: part.word,
            tone: part.tone,
            figure: total && figureOf(part, total, otherFilters),
            more: total && shareOf(part, total),
          })),
          { word: 'Time shown', figure: total && playTimeText(total.seconds) },
        ]}
      />
      {text && (
        <Soft as="p" small className={styles.hint}>
          {text}
        </Soft>
      )}
    </>
  )
}
