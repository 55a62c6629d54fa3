import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Given } from './useListState.ts'

/** Opens a row's drawer: by Enter, by a click, or in another tab. */
export const RowLink = ({ uid, children }: { uid: string; children: ReactNode }) => (
  <Link to="." search={(old: Given) => ({ ...old, open: uid })} resetScroll={false}>
    {children}
  </Link>
)
