import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type ContentType, fileTypes, type ProposalArtwork, truckSides } from '@roadshow/contract'
import { convertPicture } from '../../platform/decoding/pictures/pictures.ts'
import { type BlobStore, openBlob } from '../../platform/files/index.ts'
import type { ArtworkFacts, ArtworkFile } from './facts.ts'

// As wide as a phone shows it sharply, and enough for paper.
const WIDEST = 960

export interface DrawnArtwork {
  artwork: ProposalArtwork[]
  /** The bytes of each picture, by its key. */
  contents: Map<string, Buffer>
}

/** Where a picture is kept for good, whatever becomes of the artwork. */
export const proposalBlob = (key: string): string => `proposal-${key}`

const isVideo = (contentType: string) => fileTypes[contentType as ContentType].isVideo

/** A picture of a file of artwork, under its own hash. */
async function pictureOf(blobs: BlobStore, file: ArtworkFile) {
  const blob = isVideo(file.contentType) ? file.thumbnailBlob : file.blob
  if (blob === null) return null
  const { content, ...size } = await convertPicture(await openBlob(blobs, blob), {
    resize: { width: WIDEST, height: WIDEST, fit: 'inside', withoutEnlargement: true },
    webp: { quality: 80 },
  })
  return { key: createHash('sha256').update(content).digest('hex'), ...size, content }
}

/** Makes the pictures of artwork sets, one after the other: originals can be large. */
export async function drawArtwork(blobs: BlobStore, sets: readonly ArtworkFacts[]): Promise<DrawnArtwork> {
  const contents = new Map<string, Buffer>()
  const artwork: ProposalArtwork[] = []
  for (const { name, sides } of sets) {
    const drawn: ProposalArtwork = { name, driverSide: null, passengerSide: null, rear: null }
    for (const side of truckSides) {
      const file = sides[side]
      const picture = file && (await pictureOf(blobs, file))
      if (!picture) continue
      const { content, ...reference } = picture
      contents.set(reference.key, content)
      drawn[side] = reference
    }
    artwork.push(drawn)
  }
  return { artwork, contents }
}

/** Keeps pictures for good. A blob under the same name has the same bytes. */
export async function storePictures(blobs: BlobStore, { contents }: DrawnArtwork): Promise<void> {
  for (const [key, content] of contents) {
    if ((await blobs.size(proposalBlob(key))) === undefined) await blobs.write(proposalBlob(key), content, 'image/webp')
  }
}

/** The pictures that a document names. */
export const pictureKeys = (artwork: readonly ProposalArtwork[]): string[] => [
  ...new Set(artwork.flatMap((set) => truckSides.flatMap((side) => set[side]?.key ?? []))),
]

/** Reads the pictures of a document that was sent. */
export async function readPictures(
  blobs: BlobStore,
  artwork: readonly ProposalArtwork[],
): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>()
  for (const key of pictureKeys(artwork)) contents.set(key, await buffer(await blobs.read(proposalBlob(key))))
  return contents
}
