import type { AccountedFigures, PlayFigures } from '@roadshow/contract/proof/ad-log'
import { popGradeLabel, popGrades } from '@roadshow/contract/proof/pop-document'
import { gradeTone } from '../../photos/photoTags.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import type { Tone } from '../../../ui/text/StateTag.tsx'

type Part = (typeof popGrades)[number] | 'missing' | 'rejected' | 'duplicates' | 'unassigned'

/** Plays by grade, then the numbers that are no plays of a shift; each with its color, from the bottom of the chart up. */
export const parts: readonly { key: Part; word: string; tone: Tone }[] = [
  ...popGrades.map((key) => ({ key, word: popGradeLabel[key], tone: gradeTone[key] })),
  { key: 'missing', word: 'Missing', tone: 'silent' },
  { key: 'rejected', word: 'Rejected', tone: 'parked' },
  { key: 'duplicates', word: 'Duplicate', tone: 'parked' },
  { key: 'unassigned', word: 'Unassigned', tone: 'off-shift' },
]

type NumberName = 'noTrack' | 'missing' | 'rejected' | 'duplicates' | 'unassigned' | 'numbers'

/** The figures of a line of the report. Null is a number that can't be known, which is not zero. */
export type KnownFigures = PlayFigures & Record<NumberName, number | null>

/** The parts that a report shows: duplicates only where there are some, because ordinary players send none. */
export const partsOf = (total: Pick<KnownFigures, 'duplicates'>): typeof parts =>
  parts.filter(({ key }) => key !== 'duplicates' || total.duplicates)

/** Numbers that are no plays are not counted by side. */
export const figuresOfSide = (figures: PlayFigures): KnownFigures => ({
  ...figures,
  noTrack: null,
  missing: null,
  rejected: null,
  duplicates: null,
  unassigned: null,
  numbers: null,
})

/** The figures of chosen sides: a number that never arrived has no side. */
export const figuresOfSomeSides = (figures: AccountedFigures): KnownFigures => ({
  ...figures,
  missing: null,
  rejected: null,
  duplicates: null,
  numbers: null,
})

/** Everything that is known of a line, which is the length of its bar. */
export const barLength = ({
  plays,
  missing,
  rejected,
  duplicates,
  unassigned,
}: Pick<KnownFigures, 'plays' | 'missing' | 'rejected' | 'duplicates' | 'unassigned'>): number =>
  plays + (missing ?? 0) + (rejected ?? 0) + (duplicates ?? 0) + (unassigned ?? 0)

/** How the numbers that players have used add up; undefined where a part of them can't be known. */
export function numbersText(figures: KnownFigures): string | undefined {
  const { plays, missing, rejected, duplicates, unassigned, numbers } = figures
  if (numbers === null || numbers === 0) return undefined
  const others = { missing, rejected, duplicate: duplicates || null, unassigned }
  const rest = Object.entries(others).flatMap(([word, count]) =>
    count === null ? [] : [`${formatCount(count)} ${word}`],
  )
  const used = `${countOf(numbers, 'play')} numbered by players`
  return `${used} = ${[countOf(plays, 'play'), ...rest].join(' + ')}.`
}
