import { roleLabel } from '@roadshow/contract/platform/permissions'
import { moduleLabel } from '@roadshow/contract/platform/permissions'
import type { User } from '@roadshow/contract/catalog/users'
import { clientLookup } from '../lookups/clientLookup.ts'
import { NamedAvatar } from '../../ui/Avatar.tsx'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, formatMoment } from '@roadshow/contract/platform/dates'

export const userColumns: Column<User>[] = [
  {
    key: 'name',
    title: 'Name',
    width: 200,
    render: ({ name, photo }) => <NamedAvatar name={name} picture={photo?.thumbnailUrl} />,
  },
  { key: 'role', title: 'Role', width: 84, render: ({ role }) => roleLabel[role] },
  { key: 'email', title: 'Email', width: 260, isLong: true, render: ({ email }) => email },
  { key: 'phone', title: 'Phone', width: 140, secondary: true, render: ({ phone }) => phone },
  { key: 'client', title: 'Client', secondary: true, render: ({ client }) => client?.name },
  {
    key: 'state',
    title: 'State',
    width: 104,
    render: ({ deletedAt, isInvited }) => {
      if (deletedAt) return <StateTag tone="silent">Deleted</StateTag>
      return isInvited ? <StateTag tone="parked">Invited</StateTag> : <StateTag tone="driving">Active</StateTag>
    },
  },
  {
    key: 'lastSeen',
    title: 'Last seen',
    width: 220,
    render: ({ lastSeen }) => (lastSeen ? formatMoment(lastSeen, localZone()) : 'Never'),
  },
]

export const userFilters: Filter[] = [
  { key: 'role', label: 'Role', words: roleLabel },
  { key: 'module', label: 'Module', words: moduleLabel, inMenu: true },
  { key: 'client', label: 'Client', lookup: clientLookup },
  { key: 'deleted', label: 'Deleted users', words: { shown: 'Show deleted' } },
]
