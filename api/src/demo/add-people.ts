import { modules } from '@roadshow/contract'
import { setPayRates } from '../catalog/users/index.ts'
import type { Db } from '../platform/db/connection.ts'
import type { Actor } from '../platform/db/records/scope.ts'
import { type Uids, requireUid } from './add-fleet.ts'
import { peopleWithLogin, demoPayRates, demoPeople } from './people.ts'

const isAdmin = ({ email }: { email: string }) => email === peopleWithLogin[0]?.email

const rowsOf = (password_hash: string, changed_by: string | null, clients: Uids) =>
  demoPeople().map(({ client, modules: held, ...person }) => ({
    ...person,
    modules: [...held],
    client_uid: client ? requireUid(clients, client) : null,
    password_hash,
    changed_by,
  }))

/** Adds the admin, who then adds everything else. */
export async function addAdmin(db: Db, passwordHash: string): Promise<Actor> {
  const [admin] = demoPeople().filter(isAdmin)
  if (!admin) throw new Error('The demo has no admin.')
  const { name, email, phone } = admin
  const { uid } = await db
    .insertInto('user_account')
    .values({ name, email, phone, role: 'admin', modules: [...modules], password_hash: passwordHash })
    .returning('uid')
    .executeTakeFirstOrThrow()
  return { uid, name, email, role: 'admin', modules: [...modules], clientUid: null, sessionUid: '', address: '' }
}

interface PeopleOptions {
  adminUid: string
  passwordHash: string
  clients: Uids
  today: string
}

/** Adds all other users, and the pay rates of drivers. */
export async function addPeople(db: Db, { adminUid, passwordHash, clients, today }: PeopleOptions) {
  let lastFile = 100
  const rows = rowsOf(passwordHash, adminUid, clients)
    .filter((row) => !isAdmin(row))
    .map((row) => ({ ...row, payroll_id: row.role === 'driver' ? String(++lastFile).padStart(6, '0') : '' }))
  const added = await db.insertInto('user_account').values(rows).returning(['uid', 'role']).execute()
  const drivers = added.filter(({ role }) => role === 'driver')
  for (const [index, rates] of demoPayRates(drivers.length, today).entries()) {
    await setPayRates(db, drivers[index]?.uid ?? '', rates)
  }
}
