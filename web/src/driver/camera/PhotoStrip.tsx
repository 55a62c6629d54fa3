import { useCallback, useState } from 'react'
import { useApp, useAppState, useLanguage, useWords } from '../context.ts'
import { waitReason } from '../queue/wait-rules.ts'
import { ContactLinks, useContactsOf } from '../ui/ContactLinks.tsx'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { useStoredPicture } from '../ui/usePicture.ts'
import { needsCall, problemText, stateText } from '../waiting/item-words.ts'
import { thumbnailOf } from './shrinkPicture.ts'
import type { ShownPhoto } from './useShiftPhotos.ts'
import styles from './PhotoStrip.module.css'

/** How far a photo has come; in short where it stands below a small picture. */
function usePhotoState(): (photo: ShownPhoto, isShort?: boolean) => string {
  const words = useWords()
  const state = useAppState()
  return ({ queued }, isShort = false) => {
    if (!queued || queued.state === 'noted') return words.sent
    const isRefused = queued.state === 'waiting' && waitReason(queued, state) === 'right'
    return isRefused && isShort ? words.notAllowedShort : stateText(queued, state, words)
  }
}

/** The photos of the shift on this phone, each with its state. */
export function PhotoStrip({ photos }: { photos: ShownPhoto[] }) {
  const words = useWords()
  const stateOf = usePhotoState()
  const [openId, setOpenId] = useState<string>()
  const opened = photos.findIndex(({ id }) => id === openId)
  const photo = photos[opened]
  if (photos.length === 0) return null
  return (
    <section>
      <h2>{words.photosHere(photos.length)}</h2>
      <ul className={styles.strip}>
        {photos.map((each, index) => (
          <li key={each.id}>
            <button
              type="button"
              className={styles.photo}
              aria-label={words.photoState(index + 1, stateOf(each))}
              onClick={() => setOpenId(each.id)}
            >
              <Thumbnail photo={each} />
              <span data-state={each.queued?.state ?? 'sent'}>{stateOf(each, true)}</span>
            </button>
          </li>
        ))}
      </ul>
      {photo && <PhotoDialog photo={photo} number={opened + 1} onClose={() => setOpenId(undefined)} />}
    </section>
  )
}

function Thumbnail({ photo: { thumbnailUrl, queued } }: { photo: ShownPhoto }) {
  const app = useApp()
  // One that waits from before is kept in its full size, of which a phone can show only few at a time.
  const read = useCallback(
    async (id: string) => {
      const picture = await app.picture(id)
      return picture && thumbnailOf(picture)
    },
    [app],
  )
  const stored = useStoredPicture(thumbnailUrl ? undefined : queued?.pictureId, read)
  const url = thumbnailUrl ?? stored
  return url ? <img src={url} alt="" /> : <span className={styles.empty} />
}

interface PhotoDialogParts {
  photo: ShownPhoto
  number: number
  onClose: () => void
}

function PhotoDialog({ photo, number, onClose }: PhotoDialogParts) {
  const app = useApp()
  const words = useWords()
  const stateOf = usePhotoState()
  const { queued } = photo
  const language = useLanguage()
  const state = useAppState()
  const contacts = useContactsOf(queued?.about)
  const url = useStoredPicture(queued?.pictureId, app.picture)
  const isUnsent = queued?.state === 'waiting' || queued?.state === 'refused'
  const act = (work: Promise<void>) => {
    void work
    onClose()
  }
  return (
    <Dialog title={words.photoState(number, stateOf(photo))} onClose={onClose}>
      {(url ?? photo.thumbnailUrl) && <img className={styles.large} src={url ?? photo.thumbnailUrl} alt="" />}
      {queued?.caption && <p>{queued.caption}</p>}
      {queued?.state === 'refused' && (
        <>
          <p>{problemText(queued, words, language)}</p>
          <Button look="primary" onClick={() => act(app.retry(queued))}>
            {words.tryAgain}
          </Button>
        </>
      )}
      {queued && needsCall(queued, state) && <ContactLinks contacts={contacts} />}
      {isUnsent && <p>{words.photoDeleteText}</p>}
      {isUnsent && queued && (
        <Button look="bad" onClick={() => act(app.remove(queued))}>
          {words.remove}
        </Button>
      )}
      <Button onClick={onClose}>{words.close}</Button>
    </Dialog>
  )
}
