import { popStateLabel } from '@roadshow/contract/proof/pop'
import type { PopRow, PopState } from '@roadshow/contract/proof/pop'
import { formatDay } from '@roadshow/contract/platform/dates'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PlaysLink, ShiftsLink } from './figureLinks.tsx'
import { liveMiles, livePlays, versionName } from './figureText.ts'

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
  { key: 'name', title: 'Program', render: (pop) => pop.name },
  {
    key: 'photosWaiting',
    title: 'Photos waiting',
    width: 130,
    align: 'right',
    render: ({ photosWaiting, photos }) =>
      photos > 0 ? `${formatCount(photosWaiting)} of ${formatCount(photos)}` : formatCount(0),
  },
  { key: 'client', title: 'Client', width: 170, render: (pop) => pop.client.name },
  {
    key: 'state',
    title: 'State',
    width: 150,
    render: ({ state }) => <PopStateTag state={state} />,
  },
  {
    key: 'version',
    title: 'Version',
    width: 84,
    align: 'right',
    secondary: true,
    render: ({ newestVersion }) =>
      newestVersion ? <span title={versionName(newestVersion)}>{newestVersion.number}</span> : '–',
  },
  {
    key: 'metres',
    title: 'Live miles',
    width: 116,
    align: 'right',
    render: (pop) => <ShiftsLink program={pop.uid}>{liveMiles(pop)}</ShiftsLink>,
  },
  {
    key: 'publishedMetres',
    title: 'Published miles',
    width: 124,
    align: 'right',
    secondary: true,
    render: ({ newestVersion }) => (newestVersion ? formatMileCount(newestVersion.metres) : '–'),
  },
  {
    key: 'plays',
    title: 'Live plays',
    width: 116,
    align: 'right',
    render: (pop) => <PlaysLink program={pop.uid}>{livePlays(pop)}</PlaysLink>,
  },
  {
    key: 'publishedPlays',
    title: 'Published plays',
    width: 124,
    align: 'right',
    secondary: true,
    render: ({ newestVersion }) => (newestVersion ? formatCount(newestVersion.plays) : '–'),
  },
  { key: 'views', title: 'Views', width: 64, align: 'right', render: ({ views }) => formatCount(views) },
  { key: 'startsOn', title: 'Starts', width: 124, secondary: true, render: (pop) => formatDay(pop.startsOn) },
  { key: 'endsOn', title: 'Ends', width: 124, secondary: true, render: (pop) => formatDay(pop.endsOn) },
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
