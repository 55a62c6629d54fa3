import { toMiles } from '@roadshow/contract/platform/geo'
import { photoStatusLabel, popStateLabel } from '@roadshow/contract/proof/pop'
import type { PhotoStatus, PopRow, PopState } from '@roadshow/contract/proof/pop'
import { popGradeLabel } from '@roadshow/contract/proof/pop-document'
import type { PopGrade } from '@roadshow/contract/proof/pop-document'
import { clientLookup } from '../../catalog/clients/clientLookup.ts'
import type { Column } from '../../ui/columns.ts'
import type { Filter } from '../../ui/FilterChips.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import type { Tone } from '../../ui/StateTag.tsx'

const stateTone: Record<PopState, Tone> = {
  unpublished: 'silent',
  published: 'driving',
  withdrawn: 'warn',
  ended: 'parked',
}
const statusTone: Record<PhotoStatus, Tone> = { waiting: 'parked', approved: 'driving', hidden: 'silent' }
export const gradeTone: Record<PopGrade, Tone> = { verified: 'driving', unverified: 'warn', conflict: 'bad' }

export const count = (number: number) => number.toLocaleString('en-US')
/** Whole miles: what a page of proof says is no more exact. */
export const miles = (metres: number) => count(Math.round(toMiles(metres)))

export const PopStateTag = ({ state }: Pick<PopRow, 'state'>) => (
  <StateTag tone={stateTone[state]}>{popStateLabel[state]}</StateTag>
)
export const PhotoStatusTag = ({ status }: { status: PhotoStatus }) => (
  <StateTag tone={statusTone[status]}>{photoStatusLabel[status]}</StateTag>
)
export const GradeTag = ({ grade }: { grade: PopGrade }) => (
  <StateTag tone={gradeTone[grade]}>{popGradeLabel[grade]}</StateTag>
)

export const popColumns: Column<PopRow>[] = [
  { key: 'name', title: 'Program', width: 210, render: (pop) => pop.name },
  { key: 'client', title: 'Client', render: (pop) => pop.client.name },
  { key: 'state', title: 'State', width: 140, render: ({ state }) => <PopStateTag state={state} /> },
  { key: 'shownVersion', title: 'Version', width: 80, align: 'right', render: ({ shownVersion }) => shownVersion },
  {
    key: 'photosWaiting',
    title: 'Photos waiting',
    width: 120,
    align: 'right',
    render: ({ photosWaiting, photos }) => (photos > 0 ? `${count(photosWaiting)} of ${count(photos)}` : count(0)),
  },
  { key: 'metres', title: 'Miles', width: 80, align: 'right', render: ({ metres }) => miles(metres) },
  { key: 'plays', title: 'Plays', width: 90, align: 'right', render: ({ plays }) => count(plays) },
  { key: 'views', title: 'Views', width: 80, align: 'right', render: ({ views }) => count(views) },
  { key: 'startsOn', title: 'Starts', width: 120, secondary: true, render: (pop) => pop.startsOn },
  { key: 'endsOn', title: 'Ends', width: 120, secondary: true, render: (pop) => pop.endsOn },
]

/** Who only reads sees how many photos there are. */
export const readingColumns = popColumns.map((column): Column<PopRow> =>
  column.key === 'photosWaiting' ? { ...column, title: 'Photos', render: ({ photos }) => count(photos) } : column,
)

export const popFilters: Filter[] = [
  { key: 'state', label: 'State', words: popStateLabel },
  { key: 'waiting', label: 'Photos', words: { yes: 'With photos waiting' } },
  { key: 'client', label: 'Client', lookup: clientLookup },
]
