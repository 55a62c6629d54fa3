import { popStateLabel } from '@roadshow/contract/proof/pop'
import type { PopRow, PopState } from '@roadshow/contract/proof/pop'
import { formatDay } from '@roadshow/contract/platform/dates'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import type { ReactNode } from 'react'
import { clientLookup } from '../../catalog/lookups/clientLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Soft } from '../../ui/layout.tsx'
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

/** A live figure, and below it the one that the newest version froze. */
const LiveFigure = ({ frozen, children }: { frozen: string | undefined; children: ReactNode }) => (
  <>
    {children}
    {frozen !== undefined && (
      <Soft as="div" className="figures">
        {frozen} published
      </Soft>
    )}
  </>
)

export const popColumns: Column<PopRow>[] = [
  { key: 'name', title: 'Program', render: (pop) => pop.name },
  { key: 'client', title: 'Client', width: 170, render: (pop) => pop.client.name },
  {
    key: 'state',
    title: 'State',
    width: 142,
    render: ({ state, newestVersion }) => (
      <>
        <PopStateTag state={state} />
        {newestVersion && (
          <Soft as="div" title={versionName(newestVersion)}>
            Version {newestVersion.number}
          </Soft>
        )}
      </>
    ),
  },
  {
    key: 'photosWaiting',
    title: 'Photos waiting',
    width: 114,
    align: 'right',
    render: ({ photosWaiting, photos }) =>
      photos > 0 ? `${formatCount(photosWaiting)} of ${formatCount(photos)}` : formatCount(0),
  },
  {
    key: 'metres',
    title: 'Live miles',
    width: 132,
    align: 'right',
    render: (pop) => (
      <LiveFigure frozen={pop.newestVersion ? formatMileCount(pop.newestVersion.metres) : undefined}>
        <ShiftsLink program={pop.uid}>{liveMiles(pop)}</ShiftsLink>
      </LiveFigure>
    ),
  },
  {
    key: 'plays',
    title: 'Live plays',
    width: 132,
    align: 'right',
    render: (pop) => (
      <LiveFigure frozen={pop.newestVersion ? formatCount(pop.newestVersion.plays) : undefined}>
        <PlaysLink program={pop.uid}>{livePlays(pop)}</PlaysLink>
      </LiveFigure>
    ),
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
