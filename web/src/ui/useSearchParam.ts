import { useNavigate, useSearch } from '@tanstack/react-router'
import type { UrlSearch } from './useListState.ts'

/**
 * Something opened beside the screen, kept in the address under its own name: a link opens it, Back closes it, and
 * leaving it with unsaved edits asks first.
 */
export function useSearchParam(name: string): [open: string | undefined, show: (what: string | undefined) => void] {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = search[name]
  const show = (what: string | undefined) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, [name]: what }), resetScroll: false })
  return [typeof open === 'string' && open !== '' ? open : undefined, show]
}
