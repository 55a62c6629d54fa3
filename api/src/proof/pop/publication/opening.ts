import type { PopChapter, PopDocument, PublicPhoto } from '@roadshow/contract'
import { decodePolyline, encodePolyline } from './polyline.ts'
import { simplifyLines } from './simplify.ts'

/** How many photos of a market the page begins with; it fetches the others when somebody asks for them. */
export const OPENING_PHOTOS = 13

// What all lines of a market together may have: enough for every street of a metro area, and still a page that opens fast.
const OPENING_POINTS = 4000

/** What the page begins with: the document with the first photos of each market only, and lighter routes. */
export interface PopOpening extends Omit<PopDocument, 'chapters'> {
  /** The photo on top, which need not be among the first. */
  coverPhoto: PublicPhoto | null
  chapters: OpeningChapter[]
}

export interface OpeningChapter extends PopChapter {
  /** How many photos the market has in the document. */
  allPhotos: number
}

export function toOpening(document: PopDocument): PopOpening {
  const photos = document.chapters.flatMap((chapter) => chapter.photos)
  return {
    ...document,
    coverPhoto: photos.find(({ key }) => key === document.cover) ?? photos[0] ?? null,
    chapters: document.chapters.map((chapter) => ({
      ...chapter,
      routes: simplifyLines(chapter.routes.map(decodePolyline), OPENING_POINTS).map(encodePolyline),
      photos: chapter.photos.slice(0, OPENING_PHOTOS),
      allPhotos: chapter.photos.length,
    })),
  }
}
