import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useCallback } from 'react'
import { Soft, Stack } from '../../ui/layout.tsx'
import { useAppState, useWords } from '../context.ts'
import { keptPicture } from '../pictures.ts'
import { useStoredPicture } from '../ui/usePicture.ts'
import styles from './shift.module.css'

type Artwork = NonNullable<DriverAppShift['artwork']>

/** One side. The kept picture also shows without network; before it is kept, its address does. */
function Side({ picture: { side, url, isVideo } }: { picture: Artwork['pictures'][number] }) {
  const words = useWords()
  const { userUid = '', isOnline } = useAppState()
  const read = useCallback((address: string) => keptPicture(userUid, address), [userUid])
  const kept = useStoredPicture(isVideo ? undefined : url, read)
  const source = kept ?? (isOnline ? url : undefined)
  return (
    <figure className={styles.side}>
      {isVideo && isOnline && <video src={url} muted loop autoPlay playsInline aria-label={words[side]} />}
      {!isVideo && source && <img src={source} alt={words[side]} />}
      {!source && (
        <Soft as="p" small>
          {words.pictureNotHere}
        </Soft>
      )}
      <figcaption>{isVideo ? `${words[side]} · ${words.artworkVideo}` : words[side]}</figcaption>
    </figure>
  )
}

/** What each side of the truck must show. */
export function ArtworkCheck({ artwork }: { artwork: DriverAppShift['artwork'] }) {
  const words = useWords()
  return (
    <section className={styles.part}>
      <h2>{words.artworkCheck}</h2>
      {artwork ? (
        <p>{artwork.name}</p>
      ) : (
        <Soft as="p" small>
          {words.artworkMissing}
        </Soft>
      )}
      <Stack gap={3}>
        {artwork?.pictures.map((picture, index) => (
          <Side key={`${picture.side} ${index}`} picture={picture} />
        ))}
      </Stack>
    </section>
  )
}
