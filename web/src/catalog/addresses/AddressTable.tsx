import { formatRadius } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { addressInput, locatedByLabel } from '@roadshow/contract/catalog/addresses'
import type { AddressInput } from '@roadshow/contract/catalog/addresses'
import { useState } from 'react'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { SearchInput } from '../../ui/list/SearchInput.tsx'
import { Soft } from '../../ui/layout.tsx'
import styles from './AddressTable.module.css'

const PER_PAGE = 20
const NONE_YET = 'No addresses yet. Add them one by one, or import a file.'

interface AddressTableProps {
  value: AddressInput[]
  selected: number | undefined
  onSelect: (index: number) => void
  /** What to say when there are none. */
  empty?: string
}

/** The addresses a page at a time; the page follows what is chosen on the map. */
export function AddressTable({ value, selected, onSelect, empty = NONE_YET }: AddressTableProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [followed, setFollowed] = useState(selected)
  const found = findAddresses(value, search)
  if (selected !== followed) {
    setFollowed(selected)
    const place = found.findIndex(({ index }) => index === selected)
    if (place >= 0) setPage(Math.floor(place / PER_PAGE) + 1)
  }
  const last = Math.max(1, Math.ceil(found.length / PER_PAGE))
  const shownPage = Math.min(page, last)
  const shown = found.slice((shownPage - 1) * PER_PAGE, shownPage * PER_PAGE)

  if (value.length === 0) return <Soft as="p">{empty}</Soft>
  return (
    <>
      {value.length > PER_PAGE && <SearchInput label="Search addresses" value={search} onChange={setSearch} />}
      <FactTable
        label="Addresses"
        columns={columnsOf(selected, onSelect)}
        rows={shown}
        rowKey={({ index }) => index}
        rowProps={({ address, index }) => ({
          'data-selected': index === selected,
          'data-bad': !addressInput.safeParse(address).success,
          onClick: () => onSelect(index),
        })}
        className={styles.table ?? ''}
      />
      <div className={styles.footer}>
        <span role="status" className="figures">
          {search.trim() !== '' && `${formatCount(found.length)} of `}
          {formatCount(value.length)} {value.length === 1 ? 'address' : 'addresses'}
        </span>
        <Pager page={shownPage} perPage={PER_PAGE} total={found.length} onChange={setPage} />
      </div>
    </>
  )
}

interface FoundAddress {
  address: AddressInput
  /** Its place among all addresses. */
  index: number
}

/** The addresses whose label and address contain every word of the search. */
function findAddresses(value: AddressInput[], search: string): FoundAddress[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return value
    .map((address, index) => ({ address, index }))
    .filter(({ address: { label, address } }) => {
      const text = `${label} ${address}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
}

const columnsOf = (
  selected: number | undefined,
  onSelect: AddressTableProps['onSelect'],
): FactColumn<FoundAddress>[] => [
  {
    title: 'Label',
    render: ({ address: { label }, index }) => (
      <button type="button" aria-pressed={index === selected} onClick={() => onSelect(index)}>
        {label || `Address ${index + 1}`}
      </button>
    ),
  },
  { title: 'Address', from: 'tablet', render: ({ address }) => address.address },
  { title: 'Radius', render: ({ address }) => formatRadius(address.radiusM) },
  {
    title: 'Located',
    render: ({ address: { latitude, locatedBy } }) =>
      Number.isFinite(latitude) ? locatedByLabel[locatedBy] : 'Not placed yet',
  },
]
