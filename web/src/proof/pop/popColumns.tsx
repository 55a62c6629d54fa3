import { popStateLabel } from '@roadshow/contract/proof/pop'
import type { PopRow, PopState } from '@roadshow/contract/proof/pop'
import { clientLookup } from '../../catalog/clients/clientLookup.ts'
import type { Column } from '../../ui/columns.ts'
import type { Filter } from '../../ui/FilterChips.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import type { Tone } from '../../ui/StateTag.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { PlaysLink, ShiftsLink } from './figureLinks.tsx'
import { frozenFigures, liveMiles, livePlays, versionName } from './figureText.ts'
import shared from './pop.module.css'

const stateTone: Record<PopState, Tone> = {
  unpublished: 'silent',
  published: 'driving',
  withdrawn: 'warn',
  ended: 'parked',
}

export const PopStateTag = ({ state }: Pick<PopRow, 'state'>) => (
  <StateTag tone={stateTone[state]}>{popStateLabel[state]}</StateTag>
)

/** The frozen figures of the newest version, which the live ones have left behind. */
const NewestVersion = ({ pop: { newestVersion } }: { pop: PopRow }) =>
  newestVersion && (
    <>
      {versionName(newestVersion)}
      <br />
      <span className={`figures ${shared.soft ?? ''}`}>{frozenFigures(newestVersion)}</span>
    </>
  )

export const popColumns: Column<PopRow>[] = [
  { key: 'name', title: 'Program', width: 210, render: (pop) => pop.name },
  { key: 'client', title: 'Client', width: 160, render: (pop) => pop.client.name },
  { key: 'state', title: 'State', width: 140, render: ({ state }) => <PopStateTag state={state} /> },
  {
    key: 'photosWaiting',
    title: 'Photos waiting',
    width: 115,
    align: 'right',
    render: ({ photosWaiting, photos }) =>
      photos > 0 ? `${formatCount(photosWaiting)} of ${formatCount(photos)}` : formatCount(0),
  },
  {
    key: 'metres',
    title: 'Live miles',
    width: 115,
    align: 'right',
    render: (pop) => <ShiftsLink program={pop.uid}>{liveMiles(pop)}</ShiftsLink>,
  },
  {
    key: 'plays',
    title: 'Live plays',
    width: 115,
    align: 'right',
    render: (pop) => <PlaysLink program={pop.uid}>{livePlays(pop)}</PlaysLink>,
  },
  { key: 'newestVersion', title: 'Newest version', render: (pop) => <NewestVersion pop={pop} /> },
  { key: 'views', title: 'Views', width: 70, align: 'right', render: ({ views }) => formatCount(views) },
  { key: 'startsOn', title: 'Starts', width: 126, secondary: true, render: (pop) => pop.startsOn },
  { key: 'endsOn', title: 'Ends', width: 126, secondary: true, render: (pop) => pop.endsOn },
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
