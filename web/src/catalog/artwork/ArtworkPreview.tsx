import { fitOf } from '@roadshow/contract/catalog/artwork'
import type { TruckGroup } from '@roadshow/contract/catalog/artwork'
import { formatPercent } from '@roadshow/contract/platform/figures'
import type { FileRef } from '@roadshow/contract/platform/files'
import { fileTypes } from '@roadshow/contract/platform/files'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { Modal, Segmented, Select, Slider } from 'antd'
import { useId, useState } from 'react'
import { fileFacts } from '../../ui/form/FileUpload.tsx'
import { Row } from '../../ui/layout.tsx'
import { FitTag } from './FitTag.tsx'
import { TruckWithArtwork } from './TruckWithArtwork.tsx'
import { useTruckGroups } from './useTruckGroups.ts'
import styles from './ArtworkPreview.module.css'

export type FilesBySide = Record<TruckSide, FileRef | undefined>

const MAX_ZOOM = 5

/** The truck from its three sides, wearing the set; each can be looked at closely. */
export function ArtworkPreview({ files }: { files: FilesBySide }) {
  const [close, setClose] = useState<TruckSide>()
  const { chosen, ...choice } = useChosenTruck()
  const panels = chosen?.panels ?? undefined
  return (
    <>
      <TruckChoice {...choice} />
      <ul className={styles.views}>
        {truckSides.map((side) => (
          <li key={side}>
            <button
              type="button"
              className={styles.view}
              onClick={() => setClose(side)}
              aria-label={`Look closely at the ${truckSideLabel[side].toLowerCase()}`}
            >
              <TruckWithArtwork side={side} file={files[side]} panel={panels?.[side]} />
            </button>
            <strong>{truckSideLabel[side]}</strong>
            <span className="figures">{files[side] ? fileFacts(files[side]) : 'No file yet'}</span>
            {panels && (
              <Row as="span" gap={2} lineGap={0} align="center" wrap className="figures">
                Screen {panels[side].width} × {panels[side].height} <FitTag fit={fitOf(files[side], panels[side])} />
              </Row>
            )}
          </li>
        ))}
      </ul>
      {close && (
        <CloseLook files={files} panels={panels} side={close} onSide={setClose} onClose={() => setClose(undefined)} />
      )}
    </>
  )
}

/** The truck that wears the set in the preview: one of the fleet, or a drawn one with screens of no particular size. */
function useChosenTruck() {
  const { data: groups = [] } = useTruckGroups()
  const [truck, setTruck] = useState<string>()
  const trucks = groups.flatMap((group) => {
    const map = group.pixelMap?.name
    if (!map) return []
    // Those who may not see trucks choose among the pixel maps.
    const names = group.numbers.length > 0 ? group.numbers.map((number) => `${number} · ${map}`) : [map]
    return names.map((name) => ({ name, group }))
  })
  return {
    chosen: trucks.find(({ name }) => name === truck)?.group,
    names: trucks.map(({ name }) => name),
    truck,
    setTruck,
  }
}

type TruckChoiceProps = Omit<ReturnType<typeof useChosenTruck>, 'chosen'>

function TruckChoice({ names, truck, setTruck }: TruckChoiceProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <p className={styles.truck}>
      <label htmlFor={id}>Truck</label>
      <Select
        id={id}
        allowClear
        showSearch
        placeholder="Any truck"
        value={truck ?? null}
        onChange={(name) => setTruck(name ?? undefined)}
        options={names.map((name) => ({ value: name, label: name }))}
      />
    </p>
  )
}

interface CloseLookProps {
  files: FilesBySide
  panels: TruckGroup['panels'] | undefined
  side: TruckSide
  onSide: (side: TruckSide) => void
  onClose: () => void
}

function CloseLook({ files, panels, side, onSide, onClose }: CloseLookProps) {
  const [zoom, setZoom] = useState(1)
  const file = files[side]
  const isVideo = file !== undefined && fileTypes[file.contentType].isVideo
  return (
    <Modal
      open
      onCancel={onClose}
      footer={null}
      width="min(1200px, 94vw)"
      centered
      title={file?.name ?? truckSideLabel[side]}
    >
      <Row gap={6} lineGap={2} align="center" wrap>
        <Segmented
          value={side}
          onChange={onSide}
          options={truckSides.map((each) => ({ value: each, label: truckSideLabel[each] }))}
        />
        <div className={`${styles.zoom} artwork-zoom`}>
          <span aria-hidden>Zoom</span>
          <Slider
            min={1}
            max={MAX_ZOOM}
            step={0.25}
            value={zoom}
            onChange={setZoom}
            ariaLabelForHandle="Zoom"
            tooltip={{ formatter: (value) => formatPercent(value ?? 1) }}
          />
        </div>
      </Row>
      {/* Scrolled with the arrow keys once it is larger than the window. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.stage} tabIndex={0} role="region" aria-label={truckSideLabel[side]}>
        <div style={{ width: `${zoom * 100}%` }}>
          <TruckWithArtwork side={side} file={file} panel={panels?.[side]} isLarge />
        </div>
      </div>
      {isVideo && <video className={styles.video} src={file.url} controls muted playsInline preload="metadata" />}
    </Modal>
  )
}
