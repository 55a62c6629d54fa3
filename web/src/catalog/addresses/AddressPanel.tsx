import { addressInput, addresses, locatedByLabel } from '@roadshow/contract/catalog/addresses'
import type { AddressInput } from '@roadshow/contract/catalog/addresses'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { Button, ConfigProvider, Input, InputNumber, Select } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { useList } from '../../api/useList.ts'
import { MilesInput } from '../../ui/MilesInput.tsx'
import type { LocatedAddress } from './LocateApproximate.tsx'
import styles from './addresses.module.css'

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
  const { finding, notFound, find } = useFind(address, onFound)
  const { componentDisabled } = ConfigProvider.useConfig()
  const labelInput = useRef<HTMLInputElement>(null)
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    labelInput.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const sets = useList(artworkSets.list, { program: programUid, pageSize: '200' }, programUid !== undefined)
  const { error } = addressInput.safeParse(address)
  const problems = Object.fromEntries(error?.issues.map(({ path, message }) => [String(path[0]), message]) ?? [])
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
      <Labelled label="Address" problem={problems['address'] ?? notFound} wide>
        {(id) => (
          <div className={styles.find}>
            <Input
              id={id}
              maxLength={300}
              value={address.address ?? ''}
              onChange={({ target }) => onChange({ address: target.value })}
              onPressEnter={(event) => {
                event.preventDefault()
                void find()
              }}
            />
            {!componentDisabled && (
              <Button onClick={() => void find()} loading={finding} disabled={!address.address?.trim()}>
                Find
              </Button>
            )}
          </div>
        )}
      </Labelled>
      <Labelled label="Latitude" problem={isPlaced ? problems['latitude'] : 'Not placed yet.'}>
        {(id) => (
          <InputNumber
            id={id}
            controls={false}
            value={address.latitude}
            onChange={(latitude) => onChange({ latitude: latitude as number, locatedBy: 'given' })}
          />
        )}
      </Labelled>
      <Labelled label="Longitude" problem={isPlaced ? problems['longitude'] : undefined}>
        {(id) => (
          <InputNumber
            id={id}
            controls={false}
            value={address.longitude}
            onChange={(longitude) => onChange({ longitude: longitude as number, locatedBy: 'given' })}
          />
        )}
      </Labelled>
      <Labelled label="Artwork set">
        {(id) => (
          <Select
            id={id}
            allowClear
            placeholder="Same as shift"
            value={address.artworkSetUid ?? null}
            loading={sets.isFetching}
            options={(sets.data?.data ?? []).map(({ uid, name }) => ({ value: uid, label: name }))}
            onChange={(artworkSetUid) => onChange({ artworkSetUid: artworkSetUid ?? null })}
          />
        )}
      </Labelled>
      <p className={styles.located}>{located}</p>
      <div className={styles.panelActions}>
        {!componentDisabled && (
          <Button danger type="text" onClick={onRemove}>
            Remove this address
          </Button>
        )}
        <Button disabled={false} onClick={onClose}>
          Done
        </Button>
      </div>
    </section>
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
    <div className={styles.labelled} data-wide={wide}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </div>
  )
}
