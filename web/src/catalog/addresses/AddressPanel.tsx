import { addressInput, addresses, locatedByLabel } from '@roadshow/contract/catalog/addresses'
import type { AddressInput } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { Button, Input, InputNumber, Select } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { useList } from '../../api/useList.ts'
import { MilesInput } from '../../ui/form/MilesInput.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import type { LocatedAddress } from './LocateApproximate.tsx'
import styles from './AddressPanel.module.css'

interface AddressPanelProps {
  address: AddressInput
  number: number
  programUid: string | undefined
  isLabelTaken: boolean
  onChange: (changes: Partial<AddressInput>) => void
  /** Where an address that reads so was found. */
  onFound: (text: string, at: LocatedAddress['at']) => void
  onRemove: () => void
  onClose: () => void
}

/** The fields of the selected address, each with its problem. */
export function AddressPanel(props: AddressPanelProps) {
  const { address, number, programUid, isLabelTaken, onChange, onFound, onRemove, onClose } = props
  const { panel, labelInput } = useFocusOnOpen()
  const problems = problemsOf(address)
  const isPlaced = Number.isFinite(address.latitude)
  const located = isPlaced
    ? locatedByLabel[address.locatedBy]
    : 'Click the map, find the address, or enter coordinates.'

  return (
    <section ref={panel} className={styles.panel} aria-label={`Address ${number}`}>
      <Labelled
        label="Label"
        problem={problems['label'] ?? (isLabelTaken ? 'Another address has this label.' : undefined)}
      >
        {(id) => (
          <Input
            id={id}
            ref={(input) => void (labelInput.current = input?.input ?? null)}
            maxLength={120}
            value={address.label}
            onChange={({ target }) => onChange({ label: target.value })}
          />
        )}
      </Labelled>
      <Labelled label="Radius (miles)" problem={problems['radiusM']}>
        {(id) => (
          <MilesInput id={id} value={address.radiusM} onChange={(radiusM) => onChange({ radiusM: radiusM ?? 0 })} />
        )}
      </Labelled>
      <AddressLine
        address={address}
        problem={problems['address']}
        onChange={(text) => onChange({ address: text })}
        onFound={onFound}
      />
      <Coordinate
        label="Latitude"
        value={address.latitude}
        problem={isPlaced ? problems['latitude'] : 'Not placed yet.'}
        onChange={(latitude) => onChange({ latitude, locatedBy: 'given' })}
      />
      <Coordinate
        label="Longitude"
        value={address.longitude}
        problem={isPlaced ? problems['longitude'] : undefined}
        onChange={(longitude) => onChange({ longitude, locatedBy: 'given' })}
      />
      <ArtworkSetField
        programUid={programUid}
        value={address.artworkSetUid ?? null}
        onChange={(artworkSetUid) => onChange({ artworkSetUid })}
      />
      <p className={styles.located}>{located}</p>
      <PanelActions onRemove={onRemove} onClose={onClose} />
    </section>
  )
}

/** Brings the panel into sight and the focus into its first field. */
function useFocusOnOpen() {
  const labelInput = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    labelInput.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return { panel, labelInput }
}

/** What the schema refuses, by field. */
function problemsOf(address: AddressInput): Record<string, string> {
  const { error } = addressInput.safeParse(address)
  return Object.fromEntries(error?.issues.map(({ path, message }) => [String(path[0]), message]) ?? [])
}

const PanelActions = ({ onRemove, onClose }: Pick<AddressPanelProps, 'onRemove' | 'onClose'>) => (
  <Row lastRight className={styles.panelActions}>
    <Button danger type="text" onClick={onRemove}>
      Remove this address
    </Button>
    <Button onClick={onClose}>Done</Button>
  </Row>
)

interface AddressLineProps extends Pick<AddressPanelProps, 'address' | 'onFound'> {
  problem: string | undefined
  onChange: (text: string) => void
}

/** The postal address, and the button that finds its place. */
function AddressLine({ address, problem, onChange, onFound }: AddressLineProps) {
  const { finding, notFound, find } = useFind(address, onFound)
  return (
    <Labelled label="Address" problem={problem ?? notFound} wide>
      {(id) => (
        <Row gap={2}>
          <Input
            id={id}
            maxLength={300}
            value={address.address ?? ''}
            onChange={({ target }) => onChange(target.value)}
            onPressEnter={(event) => {
              event.preventDefault()
              void find()
            }}
          />
          <Button onClick={() => void find()} loading={finding} disabled={!address.address?.trim()}>
            Find
          </Button>
        </Row>
      )}
    </Labelled>
  )
}

interface CoordinateProps {
  label: string
  value: number
  problem: string | undefined
  onChange: (value: number) => void
}

const Coordinate = ({ label, value, problem, onChange }: CoordinateProps) => (
  <Labelled label={label} problem={problem}>
    {(id) => <InputNumber id={id} controls={false} value={value} onChange={(degrees) => onChange(degrees as number)} />}
  </Labelled>
)

interface ArtworkSetFieldProps extends Pick<AddressPanelProps, 'programUid'> {
  value: string | null
  onChange: (artworkSetUid: string | null) => void
}

/** The artwork that plays near the address, instead of that of the shift. */
function ArtworkSetField({ programUid, value, onChange }: ArtworkSetFieldProps) {
  const sets = useList(artworkSets.list, { program: programUid, pageSize: '200' }, programUid !== undefined)
  return (
    <Labelled label="Artwork set">
      {(id) => (
        <Select
          id={id}
          allowClear
          placeholder="Same as shift"
          value={value}
          loading={sets.isFetching}
          options={(sets.data?.data ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
          onChange={(artworkSetUid) => onChange(artworkSetUid ?? null)}
        />
      )}
    </Labelled>
  )
}

/** Asks the server where the address is. */
function useFind({ address: text = '' }: AddressInput, onFound: AddressPanelProps['onFound']) {
  const [finding, setFinding] = useState(false)
  const [notFound, setNotFound] = useState<string>()
  const find = async () => {
    if (!text.trim()) return
    setFinding(true)
    setNotFound(undefined)
    try {
      const { data } = await call(addresses.geocode, { body: { addresses: [text.trim()] } })
      const [found] = data
      if (found) onFound(text, found)
      else setNotFound('Address not found. Add the ZIP code, or place it on the map.')
    } catch (error) {
      setNotFound(errorMessage(error))
    }
    setFinding(false)
  }
  return { finding, notFound, find }
}

interface LabelledProps {
  label: string
  problem?: string | undefined
  wide?: boolean
  children: (id: string) => ReactElement
}

const Labelled = ({ label, problem, wide = false, children }: LabelledProps) => {
  const id = useId()
  return (
    <Stack gap={1} className={`${styles.labelled} address-field`} data-wide={wide}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && (
        <Soft role="alert" tone="bad">
          {problem}
        </Soft>
      )}
    </Stack>
  )
}
