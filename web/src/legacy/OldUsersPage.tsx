import { defaultModules, moduleLabel, modules, roleLabel } from '@roadshow/contract/platform/permissions'
import type { Role } from '@roadshow/contract/platform/permissions'
import { users } from '@roadshow/contract/catalog/users'
import type { PayRate, User } from '@roadshow/contract/catalog/users'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { useMemo } from 'react'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import { formatDollars, formatPhone } from '@roadshow/contract/platform/figures'
import { RowLink } from '../ui/rows/RowLink.tsx'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { userFilters } from '../catalog/users/userColumns.tsx'
import { clientLookup } from '../catalog/lookups/clientLookup.ts'
import { ClassicList } from './table/ClassicList.tsx'
import type { RowAct } from './table/ClassicRow.tsx'
import type { ClassicColumn, CellEdit } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import { pickFields } from './table/saved.ts'
import { fewOf, useChoices } from './table/useAll.ts'

// A deleted user is read-only until restored.
const typed = (user: User | undefined): CellEdit | undefined => (user?.deletedAt ? undefined : { kind: 'text' })

/** The rate that is valid today. */
const rateOf = ({ payRates }: User): PayRate | undefined =>
  payRates
    .filter(({ validFrom }) => validFrom <= localDay(localZone()))
    .toSorted((one, other) => other.validFrom.localeCompare(one.validFrom))[0]

const payOf = (field: 'payHalfDay' | 'payEightHours' | 'payTwelveHours') => (user: User) => {
  const rate = rateOf(user)
  return rate ? formatDollars(rate[field]) : ''
}

// Of a user who exists already the role is changed on the new screen: with it come modules, client and a sign-out.
const ofNew = (edit: CellEdit | undefined) => (user: User | undefined) => (user ? undefined : edit)

const columnsWith = (client: CellEdit | undefined): ClassicColumn<User>[] => [
  { key: 'name', label: 'Name', width: 170, text: ({ name }) => name, edit: typed },
  { key: 'email', label: 'Email', width: 240, text: ({ email }) => email, edit: typed },
  { key: 'phone', label: 'Phone', width: 140, text: ({ phone }) => formatPhone(phone), edit: typed },
  { key: 'payrollId', label: 'Payroll ID', width: 90, text: ({ payrollId }) => payrollId, edit: typed },
  {
    key: 'role',
    label: 'Role',
    width: 84,
    text: ({ role }) => roleLabel[role],
    edit: ofNew(fewOf(roleLabel, 'role')),
  },
  { key: 'clientUid', label: 'Client', width: 150, text: ({ client: of }) => of?.name ?? '', edit: ofNew(client) },
  {
    key: 'modules',
    label: 'Modules',
    width: 290,
    text: ({ modules: held }) =>
      held.length === modules.length ? 'All' : held.map((key) => moduleLabel[key]).join(', '),
  },
  { key: 'payHalfDay', label: 'Half day', width: 80, align: 'right', text: payOf('payHalfDay') },
  { key: 'payEightHours', label: '8 hours', width: 80, align: 'right', text: payOf('payEightHours') },
  { key: 'payTwelveHours', label: '12 hours', width: 80, align: 'right', text: payOf('payTwelveHours') },
  {
    key: 'lastSeen',
    label: `Last seen (${localZone()})`,
    width: 170,
    text: ({ lastSeen }) => (lastSeen ? timestamp(lastSeen, localZone()) : 'Never'),
  },
  {
    key: 'state',
    label: 'State',
    width: 80,
    text: ({ deletedAt }) => (deletedAt ? 'Deleted' : 'Active'),
  },
  {
    key: 'more',
    label: 'Permissions, pay rates',
    width: 90,
    text: () => '',
    show: ({ userUid, name }) => (
      <RowLink uid={userUid} to="/users">
        <span aria-label={`Open ${name}`}>Open</span>
      </RowLink>
    ),
  },
]

const rowKey = ({ userUid }: User) => userUid

/** A new user starts with the modules of their role. */
function create(changes: LineChanges, idempotencyKey: string) {
  const role = changes['role'] as Role
  const body = { name: '', email: '', ...changes, role, modules: [...defaultModules[role]] }
  return call(users.create, { body }, { idempotencyKey })
}

async function save(user: User | undefined, changes: LineChanges, idempotencyKey: string) {
  if (!user) return create(changes, idempotencyKey)
  const { client, photo } = user
  const kept = {
    ...pickFields(users.update.body, user),
    clientUid: client?.uid ?? null,
    photoFileUid: photo?.uid ?? null,
  }
  return call(users.update, { body: { ...kept, ...changes } })
}

const remove = {
  calls: users,
  uidOf: ({ userUid }: User) => userUid,
  effect:
    'They are signed out now and can no longer sign in. Their shifts, photos and pay are kept, and you can restore them.',
  isOffered: ({ deletedAt }: User) => deletedAt === null,
}

const acts: RowAct<User>[] = [
  {
    label: 'Restore',
    effect: 'They can sign in again, with their old password, role and pay rates.',
    done: (name) => `${name} is restored.`,
    of: ({ userUid }) => call(users.restore, { params: { uid: userUid } }),
    isOffered: ({ deletedAt }) => deletedAt !== null,
  },
  {
    label: 'Sign out',
    effect: 'They are signed out everywhere at once and can sign in again.',
    done: (name) => `${name} is signed out everywhere.`,
    of: ({ userUid }) => call(users.forceLogout, { params: { uid: userUid } }),
    isOffered: ({ deletedAt }) => deletedAt === null,
  },
]

const preset = { role: roleLabel.driver }

export default function OldUsersPage() {
  const mayEdit = useMay(users.update)
  const client = useChoices(clientLookup, 'client', true)
  const columns = useMemo(() => columnsWith(client), [client])
  return (
    <ClassicList
      nouns={['user', 'users']}
      list={users.list}
      sorts={columns}
      filters={userFilters}
      empty="No users yet."
      label="Users"
      columns={columns}
      rowKey={rowKey}
      nameOf={({ name }) => name}
      {...(mayEdit && { save, remove, acts, addWord: 'Add a user', preset })}
    />
  )
}
