import type { PopChapter, PopDocument, PublicPhoto } from '@roadshow/contract'
import { countPhotosPerDay } from './day-story.ts'
import { decodePolyline, encodePolyline } from './polyline.ts'
import { simplifyLines } from './simplify.ts'

/** The page starts with this many photos of each market and loads the others on request. */
export const OPENING_PHOTOS = 13

// Points of all lines of a market: enough for every street of a metro area, and few enough for a fast page.
const OPENING_POINTS = 4000

/** The document reduced to what the page starts with: the first photos of each market, and simpler routes. */
export interface PopOpening extends Omit<PopDocument, 'chapters'> {
  /** The cover, which may not be among the first photos. */
  coverPhoto: PublicPhoto | null
  chapters: OpeningChapter[]
}

export interface OpeningChapter extends PopChapter {
  /** The number of photos of the market in the document. */
  allPhotos: number
  /** How many of them are verified; unknown for versions of format 1. */
  verifiedPhotos?: number | undefined
  /** How many were taken on each day; unknown for versions that were published before days were told. */
  photosPerDay?: Record<string, number> | undefined
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
      verifiedPhotos: chapter.photos.filter(({ grade }) => grade === 'verified').length,
      photosPerDay: countPhotosPerDay(chapter),
    })),
  }
}
