import { roleLabel } from '@roadshow/contract/platform/permissions'
import { moduleLabel, users } from '@roadshow/contract/catalog/users'
import type { PayRate, User } from '@roadshow/contract/catalog/users'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import { formatDollars } from '../ui/money.ts'
import { RowLink } from '../ui/RowLink.tsx'
import { localZone, timestamp } from '../ui/time.ts'
import { userFilters } from '../catalog/users/userColumns.tsx'
import { ClassicList } from './ClassicList.tsx'
import type { ClassicColumn, CellEdit } from './columns.ts'
import type { LineChanges } from './editsStore.ts'
import { pickFields } from './saved.ts'

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

const columns: ClassicColumn<User>[] = [
  { key: 'name', label: 'Name', width: 170, text: ({ name }) => name, edit: typed },
  { key: 'email', label: 'Email', width: 230, text: ({ email }) => email, edit: typed },
  { key: 'phone', label: 'Phone', width: 140, text: ({ phone }) => phone, edit: typed },
  { key: 'payrollId', label: 'Payroll ID', width: 90, text: ({ payrollId }) => payrollId, edit: typed },
  { key: 'role', label: 'Role', width: 70, text: ({ role }) => roleLabel[role] },
  { key: 'clientUid', label: 'Client', width: 150, text: ({ client }) => client?.name ?? '' },
  {
    key: 'modules',
    label: 'Modules',
    width: 240,
    text: ({ modules }) => modules.map((key) => moduleLabel[key]).join(', '),
  },
  { key: 'payHalfDay', label: 'Half day', width: 80, align: 'right', text: payOf('payHalfDay') },
  { key: 'payEightHours', label: '8 hours', width: 80, align: 'right', text: payOf('payEightHours') },
  { key: 'payTwelveHours', label: '12 hours', width: 80, align: 'right', text: payOf('payTwelveHours') },
  {
    key: 'lastSeen',
    label: `Last seen (${localZone()})`,
    width: 170,
    text: ({ lastSeen }) => (lastSeen ? timestamp(lastSeen) : 'Never'),
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

const keyOf = ({ userUid }: User) => userUid

async function save(user: User | undefined, changes: LineChanges) {
  if (!user) return
  const { client, photo } = user
  const kept = {
    ...pickFields(users.update.body, user),
    clientUid: client?.uid ?? null,
    photoFileUid: photo?.uid ?? null,
  }
  await call(users.update, { body: { ...kept, ...changes } })
}

const remove = {
  of: ({ userUid }: User) => call(users.remove, { params: { uid: userUid } }),
  effect:
    'They are signed out now and can no longer sign in. Their shifts, photos and pay are kept, and you can restore them.',
  isOffered: ({ deletedAt }: User) => deletedAt === null,
}

export default function OldUsersPage() {
  const mayEdit = useMay(users.update)
  return (
    <ClassicList
      nouns={['user', 'users']}
      list={users.list}
      sorts={columns}
      filters={userFilters}
      empty="No users yet."
      label="Users"
      columns={columns}
      keyOf={keyOf}
      nameOf={({ name }) => name}
      {...(mayEdit && { save, remove })}
    />
  )
}
