import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay } from '../../api/user.ts'
import type { ListOf } from '../../api/useList.ts'
import type { UrlSearch } from '../useListState.ts'

interface FigureLinkProps<Row> {
  /** The call that lists the rows; a reader who may not make it sees the figure alone. */
  list: ListOf<Row>
  /** The screen that shows the rows, and its filters: their total is the figure. */
  to: string
  search: UrlSearch
  /** The part of that screen to scroll to. */
  hash?: string
  children: ReactNode
}

/** A figure that leads to the rows it came from. */
export function FigureLink<Row>({ list, to, search, hash, children }: FigureLinkProps<Row>) {
  const mayList = useMay(list)
  if (!mayList) return <>{children}</>
  return (
    <Link to={to} search={search} {...(hash !== undefined && { hash })}>
      {children}
    </Link>
  )
}
