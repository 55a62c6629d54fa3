import type { PlayFigures } from '@roadshow/contract/proof/reports'
import { popGradeLabel, popGrades } from '@roadshow/contract/proof/pop-document'
import { gradeTone } from '../photos/photoTags.tsx'
import type { Tone } from '../../ui/StateTag.tsx'

type Part = (typeof popGrades)[number] | 'missing'

/** Plays by grade, and missing ones; each with its color, from the bottom of the chart up. */
export const parts: readonly { key: Part; word: string; tone: Tone }[] = [
  ...popGrades.map((key) => ({ key, word: popGradeLabel[key], tone: gradeTone[key] })),
  { key: 'missing', word: 'Missing', tone: 'silent' },
]

/** Plays with the number of missing ones, where it is known. */
export type Graded = PlayFigures & { missing?: number }

/** All that were played, those included that never came. */
export const expected = ({ plays, missing = 0 }: Graded) => plays + missing
