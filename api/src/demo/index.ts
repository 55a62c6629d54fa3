import { defaultModules, type Role, roleLabel } from '@roadshow/contract'
import { hashPassword } from '../auth/index.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import { markets, trucks } from './fleet.ts'

const PASSWORD = 'big-truck-demo'

const people: { email: string; name: string; role: Role }[] = [
  { email: 'admin@roadshow.example', name: 'Avery Stone', role: 'admin' },
  { email: 'sales@roadshow.example', name: 'Sam Ortega', role: 'sales' },
  { email: 'driver@roadshow.example', name: 'Dana Brooks', role: 'driver' },
  { email: 'client@roadshow.example', name: 'Casey Lin', role: 'client' },
]

/** One login for each role, for the first page a newcomer reads. */
export const demoLogins = people.map(({ email, role }) => ({ role: roleLabel[role], email, password: PASSWORD }))

/** Loads the demo fleet into a database without users; true when it did. */
export async function loadDemo(db: Db): Promise<boolean> {
  const passwordHash = await hashPassword(PASSWORD)
  return inTransaction(db, async (db) => {
    const someone = await db.selectFrom('user_account').select('uid').limit(1).executeTakeFirst()
    if (someone) return false
    const users = people.map((person) => ({
      ...person,
      modules: [...defaultModules[person.role]],
      password_hash: passwordHash,
    }))
    await db.insertInto('user_account').values(users).execute()
    const stored = await db.insertInto('market').values(markets).returning(['uid', 'name']).execute()
    const uidOf = new Map(stored.map(({ uid, name }) => [name, uid]))
    const rows = trucks().map(({ market, ...truck }) => ({ ...truck, home_market_uid: uidOf.get(market) ?? null }))
    await db.insertInto('truck').values(rows).execute()
    return true
  })
}

/** Whether this database was filled by loadDemo. */
export async function isDemo(db: Db): Promise<boolean> {
  const admin = db.selectFrom('user_account').select('uid').where('email', '=', people[0]?.email ?? '')
  return (await admin.executeTakeFirst()) !== undefined
}
