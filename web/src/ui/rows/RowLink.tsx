import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UrlSearch } from '../useListState.ts'

interface RowLinkProps {
  uid: string
  /** The screen that the row belongs to, when it is another one. */
  to?: string | undefined
  children: ReactNode
}

/** Opens a row's drawer: by Enter, by a click, or in another tab. */
export const RowLink = ({ uid, to, children }: RowLinkProps) => (
  <Link
    to={to ?? '.'}
    search={(old: UrlSearch) => (to === undefined ? { ...old, open: uid } : { open: uid })}
    resetScroll={to !== undefined}
  >
    {children}
  </Link>
)
