import { useId, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { Row, Soft } from '../../ui/layout.tsx'
import { AskBeforeLeaving } from '../../ui/form/AskBeforeLeaving.tsx'
import { PhotoUploadProgress } from './PhotoUploadProgress.tsx'
import type { PhotoDestination, PhotoUploads } from './usePhotoUploads.ts'
import shared from './photos.module.css'
import styles from './AddPhotos.module.css'

// Asked for JPEG, phones convert their HEIC photos.
const ACCEPTED = 'image/jpeg,image/png,image/webp'

interface PhotoButtonProps {
  words: string
  /** Straight to the camera, where there is one. */
  isCamera?: boolean
  isLarge?: boolean
  onChoose: (files: File[]) => void
}

/** A button that lets photos be chosen or taken. */
export function PhotoButton({ words, isCamera = false, isLarge = false, onChoose }: PhotoButtonProps) {
  const id = useId()
  return (
    <span className={styles.choosing}>
      <input
        id={id}
        type="file"
        accept={ACCEPTED}
        className={styles.input}
        {...(isCamera ? { capture: 'environment' } : { multiple: true })}
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])])
          // The same photos can be chosen again.
          target.value = ''
        }}
      />
      <label htmlFor={id} className={styles.choose} data-large={isLarge} data-first={isLarge && isCamera}>
        {words}
      </label>
    </span>
  )
}

/** Confirms leaving while photos are being uploaded. */
export const ConfirmStopUploads = ({ uploads }: { uploads: PhotoUploads }) => (
  <AskBeforeLeaving
    isBusy={uploads.isSending}
    question="Stop uploading photos?"
    text="Some photos are not uploaded yet. Photos already uploaded are kept."
    act="Stop and leave"
  />
)

interface AddPhotosProps {
  uploads: PhotoUploads
  where: PhotoDestination
  /** Fields that apply to the added photos. */
  children?: ReactNode
}

/** Takes many photos at once, dropped, chosen or from a camera, and shows how far they are. */
export function AddPhotos({ uploads, where, children }: AddPhotosProps) {
  const [isOver, setIsOver] = useState(false)
  const add = (files: File[]) => files.length > 0 && uploads.add(files, where)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    add([...event.dataTransfer.files])
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Row gap={3} lineGap={2} align="center" wrap>
        <PhotoButton words="Add photos" onChoose={add} />
        <span className={styles.camera}>
          <PhotoButton words="Take a photo" isCamera onChoose={add} />
        </span>
        {children}
        <Soft small className={shared.hint}>
          or drop them here: JPEG, PNG or WebP, up to 30 MB each
        </Soft>
      </Row>
      <PhotoUploadProgress uploads={uploads} />
      <ConfirmStopUploads uploads={uploads} />
    </div>
  )
}
