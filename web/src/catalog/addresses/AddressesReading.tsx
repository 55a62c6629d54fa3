import { formatRadius } from '@roadshow/contract/platform/distance'
import { locatedByLabel } from '@roadshow/contract/catalog/addresses'
import type { AddressSet } from '@roadshow/contract/catalog/addresses'
import { useMemo, useState } from 'react'
import { Facts } from '../../ui/record/Facts.tsx'
import { PlaceMap } from '../../ui/map/PlaceMap.tsx'
import { RecordLink } from '../../ui/form/reading.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import { artworkSetPlace } from '../artwork/artworkSetPlace.ts'
import { placesOf } from './AddressesField.tsx'
import { AddressTable } from './AddressTable.tsx'
import styles from './AddressPanel.module.css'

type SdAddress = AddressSet['addresses'][number]

/** The addresses of a set on the map and in a table, and everything about the chosen one. */
export function AddressesReading({ addresses }: { addresses: readonly SdAddress[] }) {
  const [selected, setSelected] = useState<number>()
  const rows = useMemo(
    () => addresses.map(({ artworkSet, ...address }) => ({ ...address, artworkSetUid: artworkSet?.uid ?? null })),
    [addresses],
  )
  const places = useMemo(() => placesOf(rows), [rows])
  const chosen = selected === undefined ? undefined : addresses[selected]
  return (
    <div className={styles.editor}>
      <div className={styles.map}>
        <PlaceMap
          label="Map of the addresses"
          places={places}
          selected={selected === undefined ? undefined : String(selected)}
          onSelect={(which) => setSelected(Number(which))}
        />
      </div>
      {chosen && <OneAddress address={chosen} />}
      <AddressTable value={rows} selected={selected} onSelect={setSelected} empty="No addresses." />
    </div>
  )
}

const OneAddress = ({ address }: { address: SdAddress }) => (
  <section aria-label={address.label}>
    <Facts
      facts={{
        Label: address.label,
        Address: address.address || EM_DASH,
        Place: `${address.latitude}, ${address.longitude}`,
        Located: locatedByLabel[address.locatedBy],
        Radius: formatRadius(address.radiusM),
        'Artwork set': address.artworkSet ? (
          <RecordLink lookup={artworkSetPlace} record={address.artworkSet} />
        ) : (
          'Same as shift'
        ),
      }}
    />
  </section>
)
