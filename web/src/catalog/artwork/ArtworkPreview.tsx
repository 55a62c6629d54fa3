import type { FileRef } from '@roadshow/contract/platform/files'
import { fileTypes } from '@roadshow/contract/platform/files'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { ConfigProvider, Modal, Segmented, Slider } from 'antd'
import { useState } from 'react'
import { fileFacts } from '../../ui/FileUpload.tsx'
import { TruckWithArtwork } from './TruckWithArtwork.tsx'
import styles from './ArtworkPreview.module.css'

export type FilesBySide = Record<TruckSide, FileRef | undefined>

const MAX_ZOOM = 5

/** The truck from its three sides, wearing the set; each can be looked at closely. */
export function ArtworkPreview({ files }: { files: FilesBySide }) {
  const [close, setClose] = useState<TruckSide>()
  return (
    <>
      <ul className={styles.views}>
        {truckSides.map((side) => (
          <li key={side}>
            <button
              type="button"
              className={styles.view}
              onClick={() => setClose(side)}
              aria-label={`Look closely at the ${truckSideLabel[side].toLowerCase()}`}
            >
              <TruckWithArtwork side={side} file={files[side]} />
            </button>
            <strong>{truckSideLabel[side]}</strong>
            <span className="figures">{files[side] ? fileFacts(files[side]) : 'No file yet'}</span>
          </li>
        ))}
      </ul>
      {close && <CloseLook files={files} side={close} onSide={setClose} onClose={() => setClose(undefined)} />}
    </>
  )
}

interface CloseLookProps {
  files: FilesBySide
  side: TruckSide
  onSide: (side: TruckSide) => void
  onClose: () => void
}

function CloseLook({ files, side, onSide, onClose }: CloseLookProps) {
  const [zoom, setZoom] = useState(1)
  const file = files[side]
  const isVideo = file !== undefined && fileTypes[file.contentType].isVideo
  return (
    // Looking is for everybody, also for those who may not change the set.
    <ConfigProvider componentDisabled={false}>
      <Modal
        open
        onCancel={onClose}
        footer={null}
        width="min(1200px, 94vw)"
        centered
        title={file?.name ?? truckSideLabel[side]}
      >
        <div className={styles.controls}>
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
              tooltip={{ formatter: (value) => `${Math.round((value ?? 1) * 100)} %` }}
            />
          </div>
        </div>
        {/* Scrolled with the arrow keys once it is larger than the window. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <div className={styles.stage} tabIndex={0} role="region" aria-label={truckSideLabel[side]}>
          <div style={{ width: `${zoom * 100}%` }}>
            <TruckWithArtwork side={side} file={file} isLarge />
          </div>
        </div>
        {isVideo && <video className={styles.video} src={file.url} controls muted playsInline preload="metadata" />}
      </Modal>
    </ConfigProvider>
  )
}
