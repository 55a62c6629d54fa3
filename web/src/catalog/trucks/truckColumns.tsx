import { playerStateLabel, truckKindLabel, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { PlayerState, Truck, TruckState } from '@roadshow/contract/catalog/trucks'
import { marketLookup } from '../lookups/marketLookup.ts'
import { pixelLookup } from '../lookups/pixelLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'

export const truckStateTone: Record<TruckState, Tone> = { active: 'driving', inShop: 'warn', retired: 'silent' }

const playerTone: Record<PlayerState, Tone> = { paired: 'driving', missing: 'silent' }

export const truckColumns: Column<Truck>[] = [
  { key: 'number', title: 'Number', width: 96, render: (truck) => truck.number },
  {
    key: 'state',
    title: 'State',
    width: 110,
    render: ({ state }) => <StateTag tone={truckStateTone[state]}>{truckStateLabel[state]}</StateTag>,
  },
  { key: 'plate', title: 'Plate', width: 110, render: (truck) => truck.plate },
  { key: 'kind', title: 'Type', width: 128, render: (truck) => truckKindLabel[truck.kind] },
  { key: 'homeMarket', title: 'Home market', width: 130, render: (truck) => truck.homeMarket?.name },
  { key: 'pixelMap', title: 'Pixel map', width: 130, secondary: true, render: (truck) => truck.pixelMap?.name },
  {
    key: 'player',
    title: 'Player',
    width: 130,
    secondary: true,
    // Printed boards need none.
    render: ({ kind, player }) =>
      kind === 'led' ? <StateTag tone={playerTone[player]}>{playerStateLabel[player]}</StateTag> : '–',
  },
  { key: 'vin', title: 'VIN', width: 200, secondary: true, render: (truck) => truck.vin },
  { key: 'note', title: 'Note', secondary: true, staffOnly: true, render: (truck) => truck.note },
]

export const truckFilters: Filter[] = [
  { key: 'state', label: 'State', words: truckStateLabel },
  { key: 'kind', label: 'Type', words: truckKindLabel },
  { key: 'player', label: 'Player', words: playerStateLabel },
  { key: 'market', label: 'Home market', lookup: marketLookup },
  { key: 'pixelMap', label: 'Pixel map', lookup: pixelLookup },
]
