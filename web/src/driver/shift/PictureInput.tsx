import { useState } from 'react'
import { Stack } from '../../ui/layout.tsx'
import { shrinkPicture } from '../camera/shrinkPicture.ts'
import { useMay, useWords } from '../context.ts'
import { useNoUpdates } from '../updates.ts'
import { Button } from '../ui/Button.tsx'
import { FileButton } from '../ui/FileButton.tsx'
import { useBlobUrl } from '../ui/usePicture.ts'
import styles from './PictureInput.module.css'

interface PictureInputParts {
  /** What the picture shows, for those who do not see it. */
  of: string
  picture: Blob | undefined
  /** Called a while after it was chosen, with what was current then: it must not bring back anything else of that moment. */
  onPicture: (picture: Blob | undefined) => void
  /** Whether a picture is being made: what is done meanwhile would go without it. */
  onBusy: (isBusy: boolean) => void
}

/** Takes one picture with the phone's camera, or chooses one, and makes it small enough to be sent. */
export function PictureInput({ of, picture, onPicture, onBusy }: PictureInputParts) {
  const words = useWords()
  useNoUpdates()
  const url = useBlobUrl(picture)
  const [isUnreadable, setUnreadable] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const choose = async ([file]: File[]) => {
    if (!file) return
    setBusy(true)
    onBusy(true)
    const ready = await shrinkPicture(file).catch(() => undefined)
    setUnreadable(!ready)
    if (ready) onPicture(ready.content)
    setBusy(false)
    onBusy(false)
  }
  const may = useMay()
  if (!may.pictures) return null
  return (
    <Stack gap={2} className={styles.box}>
      {url && <img src={url} alt={words.pictureOf(of)} />}
      <FileButton isCamera onChoose={(files) => void choose(files)}>
        {picture ? words.changePicture : words.addPicture}
      </FileButton>
      {isBusy && <p role="status">{words.pictureBeingMade}</p>}
      {isUnreadable && (
        <p role="alert" className={styles.bad}>
          {words.pictureUnreadable}
        </p>
      )}
      {picture && (
        <Button look="quiet" onClick={() => onPicture(undefined)}>
          {words.removePicture}
        </Button>
      )}
    </Stack>
  )
}
