import { playerStateLabel, truckKindLabel, trucks, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { Truck, TruckInput } from '@roadshow/contract/catalog/trucks'
import { useMemo } from 'react'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import { marketLookup } from '../catalog/lookups/marketLookup.ts'
import { pixelLookup } from '../catalog/lookups/pixelLookup.ts'
import { truckFilters } from '../catalog/trucks/truckColumns.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { ClassicList } from './table/ClassicList.tsx'
import type { ClassicColumn, CellEdit } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import { pickFields } from './table/saved.ts'
import { fewOf, useChoices } from './table/useAll.ts'

const columnsWith = (market: CellEdit | undefined, pixelMap: CellEdit | undefined): ClassicColumn<Truck>[] => [
  { key: 'number', label: 'Number', width: 110, text: ({ number }) => number, edit: { kind: 'text' } },
  {
    key: 'state',
    label: 'State',
    width: 96,
    text: ({ state }) => truckStateLabel[state],
    edit: fewOf(truckStateLabel, 'state'),
  },
  {
    key: 'kind',
    label: 'Type',
    width: 120,
    text: ({ kind }) => truckKindLabel[kind],
    edit: fewOf(truckKindLabel, 'kind'),
  },
  { key: 'plate', label: 'Plate', width: 100, text: ({ plate }) => plate, edit: { kind: 'text' } },
  { key: 'vin', label: 'VIN', width: 172, text: ({ vin }) => vin, edit: { kind: 'text' } },
  {
    key: 'homeMarketUid',
    label: 'Home market',
    width: 150,
    text: ({ homeMarket }) => homeMarket?.name ?? '',
    edit: market,
  },
  { key: 'pixelMapUid', label: 'Pixel map', width: 190, text: ({ pixelMap }) => pixelMap?.name ?? '', edit: pixelMap },
  {
    key: 'geotabDeviceId',
    label: 'Geotab device',
    width: 110,
    text: ({ geotabDeviceId }) => geotabDeviceId,
    edit: { kind: 'text' },
  },
  { key: 'player', label: 'Player', width: 110, text: ({ player }) => playerStateLabel[player] },
  { key: 'note', label: 'Note', width: 240, text: ({ note }) => note, edit: { kind: 'lines' } },
  {
    key: 'updatedAt',
    label: `Changed (${localZone()})`,
    width: 160,
    text: ({ updatedAt }) => timestamp(updatedAt, localZone()),
  },
]

const rowKey = ({ uid }: Truck) => uid

/** The columns of a truck that are only read. */
const inputOf = (truck: Truck): TruckInput => ({
  ...pickFields(trucks.create.body, truck),
  homeMarketUid: truck.homeMarket?.uid ?? null,
  pixelMapUid: truck.pixelMap?.uid ?? null,
})
const blank: TruckInput = { number: '', kind: 'led', state: 'active' }
const preset = { kind: truckKindLabel.led, state: truckStateLabel.active }

const save = (truck: Truck | undefined, changes: LineChanges, idempotencyKey: string) =>
  truck
    ? call(trucks.update, { body: { ...inputOf(truck), ...changes, uid: truck.uid, version: truck.version } })
    : call(trucks.create, { body: { ...blank, ...changes } }, { idempotencyKey })

const remove = {
  calls: trucks,
  uidOf: ({ uid }: Truck) => uid,
  effect:
    'It will be removed from the list and can no longer be scheduled. Its devices are unpaired; its shifts, plays and photos are kept.',
}

export default function OldTrucksPage() {
  const mayEdit = useMay(trucks.update)
  const market = useChoices(marketLookup, 'market', true)
  const pixelMap = useChoices(pixelLookup, 'pixel map', true)
  const columns = useMemo(() => columnsWith(market, pixelMap), [market, pixelMap])
  return (
    <ClassicList
      nouns={['truck', 'trucks']}
      list={trucks.list}
      sorts={columns}
      filters={truckFilters}
      empty="No trucks yet."
      label="Trucks"
      columns={columns}
      rowKey={rowKey}
      nameOf={({ number }) => `Truck ${number}`}
      {...(mayEdit && { save, remove, addWord: 'Add a truck', preset })}
    />
  )
}
