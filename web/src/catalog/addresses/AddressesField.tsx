import { addressColumns, addresses, labelKey, DEFAULT_RADIUS_M } from '@roadshow/contract/catalog/addresses'
import type { AddressInput } from '@roadshow/contract/catalog/addresses'
import type { Point } from '@roadshow/contract/platform/geo'
import { Button } from 'antd'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { withProgress } from '../../api/with-progress.ts'
import { ImportDrawer } from '../../ui/import/ImportDrawer.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { PlaceMap } from '../../ui/map/PlaceMap.tsx'
import type { MapPlace } from '../../ui/map/places.ts'
import { AddressPanel } from './AddressPanel.tsx'
import { AddressTable } from './AddressTable.tsx'
import { LocateApproximate } from './LocateApproximate.tsx'
import type { LocatedAddress } from './LocateApproximate.tsx'
import styles from './AddressPanel.module.css'

interface AddressesFieldProps {
  programUid: string | undefined
  /** From the form around it. */
  id?: string
  value?: AddressInput[]
  onChange?: (value: AddressInput[]) => void
}

// A new address has no place yet; the schema refuses it until it has one.
const blank = {
  label: '',
  address: '',
  latitude: null as unknown as number,
  longitude: null as unknown as number,
  radiusM: DEFAULT_RADIUS_M,
  artworkSetUid: null,
  locatedBy: 'pin',
} satisfies AddressInput

const isPlaced = ({ latitude, longitude }: AddressInput) => Number.isFinite(latitude) && Number.isFinite(longitude)
const rounded = ({ latitude, longitude }: Point): Point => ({
  latitude: Math.round(latitude * 1e6) / 1e6,
  longitude: Math.round(longitude * 1e6) / 1e6,
})

/** The addresses that have a place, as the map shows them. */
export const placesOf = (value: AddressInput[]): MapPlace[] =>
  value.flatMap((address, index): MapPlace[] => {
    const { latitude, longitude, label, radiusM, locatedBy } = address
    const tone = locatedBy === 'zip' ? 'warn' : 'amber'
    return isPlaced(address)
      ? [{ id: String(index), latitude, longitude, radiusM, tone, name: label || 'No label' }]
      : []
  })

/** Whether another address has the same label. */
const isLabelTaken = (value: AddressInput[], index: number) =>
  value.some((other, each) => each !== index && labelKey(other.label) === labelKey(value[index]?.label ?? ''))

const none: AddressInput[] = []

/** The addresses of a set: a map, a table and the chosen one's fields, all three on the same rows. */
export function AddressesField({ programUid, id, value = none, onChange }: AddressesFieldProps) {
  const [importing, setImporting] = useState(false)
  const { edit, change, locate } = useAddressEdits(value, onChange)
  const { selected, setSelected, add, remove, take } = useSelectedAddress(value, edit)
  const chosen = selected === undefined ? undefined : value[selected]
  const place = (index: number, at: Point) => change(index, { ...rounded(at), locatedBy: 'pin' })
  const places = useMemo(() => placesOf(value), [value])

  return (
    <div id={id} tabIndex={-1} className={styles.editor}>
      <div className={styles.map}>
        <PlaceMap
          label="Map of the addresses"
          places={places}
          selected={selected === undefined ? undefined : String(selected)}
          onSelect={(which) => setSelected(Number(which))}
          onMove={(which, to) => place(Number(which), to)}
          onClick={chosen && !isPlaced(chosen) ? (at) => place(Number(selected), at) : undefined}
        />
      </div>
      <AddressActions mayImport={programUid !== undefined} onAdd={add} onImport={() => setImporting(true)}>
        <LocateApproximate value={value} onFound={locate} />
      </AddressActions>
      {chosen && selected !== undefined && (
        <AddressPanel
          key={selected}
          address={chosen}
          number={selected + 1}
          programUid={programUid}
          isLabelTaken={isLabelTaken(value, selected)}
          onChange={(changes) => change(selected, changes)}
          onFound={(text, at) => locate([{ index: selected, text, at }])}
          onRemove={() => remove(selected)}
          onClose={() => setSelected(undefined)}
        />
      )}
      <AddressTable value={value} selected={selected} onSelect={setSelected} />
      {programUid !== undefined && (
        <AddressImport programUid={programUid} open={importing} onClose={() => setImporting(false)} onTake={take} />
      )}
    </div>
  )
}

interface AddressActionsProps {
  mayImport: boolean
  onAdd: () => void
  onImport: () => void
  children: ReactNode
}

const AddressActions = ({ mayImport, onAdd, onImport, children }: AddressActionsProps) => (
  <Row gap={2} align="center" wrap>
    <Button onClick={onAdd}>Add address</Button>
    <Button onClick={onImport} disabled={!mayImport}>
      Import CSV or Excel
    </Button>
    {!mayImport && <Soft>Choose the client program to import.</Soft>}
    {children}
  </Row>
)

interface AddressImportProps {
  programUid: string
  open: boolean
  onClose: () => void
  onTake: (taken: AddressInput[]) => void
}

const AddressImport = ({ programUid, open, onClose, onTake }: AddressImportProps) => (
  <ImportDrawer
    title="Import addresses"
    open={open}
    onClose={onClose}
    columns={addressColumns}
    templateName="sd-addresses-template.csv"
    check={async (file, onSent, signal) => {
      const by = withProgress((bytes, ofBytes) => onSent(bytes / ofBytes))
      const input = { body: { programUid }, files: { file: [file] } }
      return (await call(addresses.checkImport, input, { by, signal })).data
    }}
    hint="Latitude and longitude place an address exactly. Without them its ZIP code does, approximately. An address whose label is in the set already replaces it."
    onTake={onTake}
  />
)

/** The selected address, and the edits after which another one is selected, or none. */
function useSelectedAddress(value: AddressInput[], edit: ReturnType<typeof useAddressEdits>['edit']) {
  const [selected, setSelected] = useState<number>()
  return {
    selected,
    setSelected,
    add: () => {
      edit((now) => [...now, blank])
      setSelected(value.length)
    },
    remove: (index: number) => {
      edit((now) => now.filter((_, each) => each !== index))
      setSelected(undefined)
    },
    take: (taken: AddressInput[]) => {
      edit((now) => merged(now, taken))
      setSelected(undefined)
    },
  }
}

/** Edits of the list. Answers of the server come late: they go into the list as it is by then. */
function useAddressEdits(value: AddressInput[], onChange: AddressesFieldProps['onChange']) {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  }, [value])
  const edit = (next: (now: AddressInput[]) => AddressInput[]) => {
    latest.current = next(latest.current)
    onChange?.(latest.current)
  }
  const change = (index: number, changes: Partial<AddressInput>) =>
    edit((now) => now.map((address, each) => (each === index ? { ...address, ...changes } : address)))
  const locate = (found: readonly LocatedAddress[]) => {
    const byIndex = new Map(found.map((each) => [each.index, each]))
    edit((now) =>
      now.map((address, index) => {
        const located = byIndex.get(index)
        return located && located.text === address.address ? { ...address, ...located.at } : address
      }),
    )
  }
  return { edit, change, locate }
}

/** The addresses with imported ones among them: a known label is that address changed, and keeps its uid. */
function merged(value: AddressInput[], taken: AddressInput[]): AddressInput[] {
  const fresh = new Map(taken.map((address) => [labelKey(address.label), address]))
  const kept = value.map((address) => {
    const replacing = fresh.get(labelKey(address.label))
    fresh.delete(labelKey(address.label))
    return replacing ? { ...address, ...replacing } : address
  })
  return [...kept, ...fresh.values()]
}
