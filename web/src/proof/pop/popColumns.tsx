import { popStateLabel } from '@roadshow/contract/proof/pop'
import type { PopRow, PopState } from '@roadshow/contract/proof/pop'
import { clientLookup } from '../../catalog/clients/clientLookup.ts'
import type { Column } from '../../ui/columns.ts'
import type { Filter } from '../../ui/FilterChips.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import type { Tone } from '../../ui/StateTag.tsx'
import { formatCount, wholeMiles } from '../../ui/numbers.ts'

const stateTone: Record<PopState, Tone> = {
  unpublished: 'silent',
  published: 'driving',
  withdrawn: 'warn',
  ended: 'parked',
}

export const PopStateTag = ({ state }: Pick<PopRow, 'state'>) => (
  <StateTag tone={stateTone[state]}>{popStateLabel[state]}</StateTag>
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
    render: ({ photosWaiting, photos }) =>
      photos > 0 ? `${formatCount(photosWaiting)} of ${formatCount(photos)}` : formatCount(0),
  },
  { key: 'metres', title: 'Miles', width: 80, align: 'right', render: ({ metres }) => wholeMiles(metres) },
  { key: 'plays', title: 'Plays', width: 90, align: 'right', render: ({ plays }) => formatCount(plays) },
  { key: 'views', title: 'Views', width: 80, align: 'right', render: ({ views }) => formatCount(views) },
  { key: 'startsOn', title: 'Starts', width: 120, secondary: true, render: (pop) => pop.startsOn },
  { key: 'endsOn', title: 'Ends', width: 120, secondary: true, render: (pop) => pop.endsOn },
]

/** Readers see the number of photos instead of those waiting. */
export const popReaderColumns = popColumns.map((column): Column<PopRow> =>
  column.key === 'photosWaiting' ? { ...column, title: 'Photos', render: ({ photos }) => formatCount(photos) } : column,
)

export const popFilters: Filter[] = [
  { key: 'state', label: 'State', words: popStateLabel },
  { key: 'waiting', label: 'Photos', words: { yes: 'With photos waiting' } },
  { key: 'client', label: 'Client', lookup: clientLookup },
]
