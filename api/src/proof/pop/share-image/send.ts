import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Db } from '../../../platform/db/connection.ts'
import type { BlobStore } from '../../../platform/files/index.ts'
import { Download } from '../../../platform/http/download.ts'
import { pictureBlob } from '../../photos/index.ts'
import type { PopOpening } from '../publication/opening.ts'
import { openingOfVersion, type PageRequest } from '../public-page/queries.ts'
import { drawShareImage } from './draw.ts'

// Link previews are asked for in bursts, when a link is posted to many people. About 100 kB each.
const CACHED = 50
// Shared caches may answer such a burst. The page can be withdrawn or get a password at any time.
const CACHED_SECONDS = 10 * 60

/** Sends the pictures of link previews. A version never changes, so each is drawn once and kept for a while. */
export function shareImages(blobs: BlobStore) {
  const drawn = new Map<string, Promise<Buffer>>()

  function imageOf(key: string, opening: PopOpening): Promise<Buffer> {
    const image = drawn.get(key) ?? draw(opening)
    drawn.delete(key)
    drawn.set(key, image)
    // A failure is not kept: the storage may be back the next time.
    image.catch(() => drawn.delete(key))
    for (const oldest of drawn.keys()) if (drawn.size > CACHED) drawn.delete(oldest)
    return image
  }

  async function draw(opening: PopOpening): Promise<Buffer> {
    const { coverPhoto } = opening
    const photo = coverPhoto && (await buffer(await blobs.read(pictureBlob(coverPhoto.key, 'large'))))
    return drawShareImage(opening, photo)
  }

  return async (db: Db, page: PageRequest, number: number): Promise<Download> => {
    const { programUid, opening, isPrivate } = await openingOfVersion(db, page, number)
    const image = await imageOf(`${programUid} ${number}`, JSON.parse(opening) as PopOpening)
    return new Download(`${page.popUrl}-v${number}.jpg`, 'image/jpeg', Readable.from([image]), {
      inline: true,
      headers: {
        'content-length': String(image.length),
        'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${CACHED_SECONDS}`,
      },
    })
  }
}
