import { formatPhone } from '@roadshow/contract/platform/figures'
import { canOpen } from '@roadshow/contract/platform/permissions'
import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import type { ReactNode } from 'react'
import { permissionsOf, useMay, useUser } from '../../api/user.ts'
import type { Lookup } from './RecordSelect.tsx'
import type { UrlSearch } from '../useListState.ts'
import { EM_DASH } from '../text/dash.ts'

/** True where fields are read: each is a term with its value, and nothing can be typed. */
export const ReadingContext = createContext(false)

export const useIsReading = (): boolean => use(ReadingContext)

/** How a field reads, if not as the words for its value: made of the record, or of the value where there is one. */
// oxlint-disable-next-line typescript/no-explicit-any
export type FieldReading = ReactNode | ((value: any) => ReactNode)

interface RecordLinkProps {
  lookup: Pick<Lookup, 'list' | 'opensIn'>
  record: { uid: string; name: string } | null | undefined
  /** What it means that there is none: `All clients`. */
  none?: string | undefined
}

/** The name of a related record, as a link for users who may open it. */
export function RecordLink({ lookup: { list, opensIn }, record, none = EM_DASH }: RecordLinkProps) {
  const permissions = permissionsOf(useUser())
  const mayList = useMay(list)
  if (!record) return none
  if (!opensIn || !mayList || ('path' in opensIn && !canOpen(permissions, opensIn.path))) return record.name
  const { uid } = record
  return 'path' in opensIn ? (
    <Link to={opensIn.path} search={{ open: uid }}>
      {record.name}
    </Link>
  ) : (
    <Link to="." search={(old: UrlSearch) => ({ ...old, [opensIn.param]: uid })} resetScroll={false}>
      {record.name}
    </Link>
  )
}

export const readEmail = (email: string) => <a href={`mailto:${email}`}>{email}</a>

export const readPhone = (phone: string) => <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{formatPhone(phone)}</a>
