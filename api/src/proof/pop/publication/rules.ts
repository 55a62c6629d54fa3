import type { PopDocument } from '@roadshow/contract'

/**
 * The error that keeps a document from being published: it needs a photo, a driven mile, or a play of a shift. A shift
 * without a track can be published: the page says that there is no GPS data.
 */
export const publicationBlocker = ({
  photos,
  figures,
}: Pick<PopDocument, 'photos' | 'figures'>): 'popEmpty' | undefined =>
  photos > 0 || figures.metres > 0 || (figures.shifts > 0 && figures.plays > 0) ? undefined : 'popEmpty'

/** The version that is public after showing or withdrawing a page; showing needs a published version. */
export function shownVersionAfter(
  isShown: boolean,
  newest: number | undefined,
): { shown: number | null } | { error: 'popNeverPublished' } {
  if (!isShown) return { shown: null }
  return newest === undefined ? { error: 'popNeverPublished' } : { shown: newest }
}

/** The versions that a reader may see: staff all, clients only the public one. */
export function visibleVersions(
  rows: 'own' | 'all',
  { state, shownVersion }: { state: string; shownVersion: number | null },
): 'all' | readonly number[] {
  if (rows === 'all') return 'all'
  return state === 'published' && shownVersion !== null ? [shownVersion] : []
}
