import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { useWords } from '../context.ts'
import { Button } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { useNoUpdates } from '../updates.ts'
import { CaptionField } from './CaptionField.tsx'
import { FileButton } from '../ui/FileButton.tsx'
import { PhotoStrip } from './PhotoStrip.tsx'
import { PlaceLine } from './PlaceLine.tsx'
import { SideChoice } from './SideChoice.tsx'
import { takenJustNow } from './moment-rules.ts'
import { useCameraStream } from './useCameraStream.ts'
import { usePositionWatch } from './usePositionWatch.ts'
import { useShiftPhotos } from './useShiftPhotos.ts'
import styles from './CameraPage.module.css'

interface CameraPageParts {
  shift: DriverAppShift
  isRunning: boolean
  children: ReactNode
}

/** Takes many photos in a row. Each is kept on the phone at once, with the time and place of its moment. */
export function CameraPage({ shift, isRunning, children }: CameraPageParts) {
  const words = useWords()
  useNoUpdates()
  const position = usePositionWatch()
  const camera = useCameraStream()
  const [side, setSide] = useState<TruckSide | null>(null)
  const [caption, setCaption] = useState('')
  const photos = useShiftPhotos(shift, { side, caption: caption.trim() })

  const press = () => {
    const takenAt = Date.now()
    void photos.keep(camera.takePicture(), { takenAt, place: position.read(takenAt) })
  }
  const take = async (files: File[], isCamera: boolean) => {
    for (const file of files) {
      const takenAt = isCamera ? takenJustNow(file, Date.now()) : null
      await photos.keep(Promise.resolve(file), { takenAt, place: takenAt === null ? null : position.read(takenAt) })
    }
  }
  const shutter = (
    <Stack gap={2}>
      <Row gap={2} wrap className={styles.ways}>
        <FileButton isCamera onChoose={(files) => void take(files, true)}>
          {words.phoneCamera}
        </FileButton>
        <FileButton onChoose={(files) => void take(files, false)}>{words.fromGallery}</FileButton>
      </Row>
      {camera.state === 'on' && (
        <Button look="primary" onClick={press}>
          <span className={styles.shutter}>{words.shutter}</span>
        </Button>
      )}
    </Stack>
  )
  return (
    <Frame action={shutter}>
      <h1>{words.photosOf(shift.truck.number)}</h1>
      {!isRunning && <p className={styles.warn}>{words.notThisShiftNow}</p>}
      <Viewfinder camera={camera} />
      <PlaceLine watch={position} />
      <SideChoice side={side} onChange={setSide} />
      <p role="status" className={styles.status}>
        {photos.problem ? words[photos.problem] : photos.count > 0 && words.photoKept(photos.count)}
      </p>
      <PhotoStrip photos={photos.list} />
      <CaptionField caption={caption} onChange={setCaption} />
      <Soft as="p">{words.galleryHint}</Soft>
      {children}
    </Frame>
  )
}

function Viewfinder({ camera: { video, state } }: { camera: ReturnType<typeof useCameraStream> }) {
  const words = useWords()
  return (
    <>
      {state === 'asking' && <p>{words.cameraStarting}</p>}
      {state === 'refused' && <p>{words.cameraRefused}</p>}
      {state === 'none' && <p>{words.cameraNone}</p>}
      {/* Without it a stream that starts later has nowhere to go. */}
      <video ref={video} className={styles.video} hidden={state !== 'on'} muted playsInline aria-hidden />
    </>
  )
}
