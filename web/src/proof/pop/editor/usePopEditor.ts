import { pops } from '@roadshow/contract/proof/pop'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { validSearch } from '../../../ui/useListState.ts'
import type { UrlSearch } from '../../../ui/useListState.ts'

export const editorTabLabel = {
  text: 'Text',
  markets: 'Markets',
  photos: 'Photos',
  figures: 'Figures',
  versions: 'Versions',
  history: 'History',
  preview: 'Preview',
} as const
export type EditorTab = keyof typeof editorTabLabel

const isTab = (tab: unknown): tab is EditorTab => typeof tab === 'string' && tab in editorTabLabel

/** The search parameters of the open POP; the others belong to the list behind it. */
const own = ['open', 'tab', 'status', 'grade', 'market', 'photosPage', 'photo', 'publish']
export const withoutEditorState = (search: UrlSearch): UrlSearch =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !own.includes(name)))

/** The state of the editor, which lives in the URL: its tab and the photo filters. */
export function usePopEditor() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const go = (changes: UrlSearch, replace = false) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, ...changes }), replace, resetScroll: false })
  const { status, grade, market, photosPage } = search
  const narrowed = validSearch(pops.photos.query, { status, grade, market })
  return {
    tab: isTab(search.tab) ? search.tab : 'photos',
    setTab: (tab: string) => go({ tab: tab === 'photos' ? undefined : tab, photo: undefined }),
    narrowed,
    isNarrowed: Object.values(narrowed).some((value) => value !== undefined),
    narrow: (changes: UrlSearch) => go({ ...changes, photosPage: undefined }, true),
    page: Math.max(1, Math.floor(Number(photosPage)) || 1),
    setPage: (page: number) => go({ photosPage: page === 1 ? undefined : String(page) }),
  }
}
