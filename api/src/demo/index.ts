import { roleLabel } from '@roadshow/contract'
import { sql } from 'kysely'
import { hashPassword } from '../accounts/sign-in/index.ts'
import { isDemoLoaded, markDemo } from '../console/setup/index.ts'
import { type Db, inTransaction } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { BlobStore } from '../platform/files/index.ts'
import { addBookedLines, addOfferedLines } from './add-booked-lines.ts'
import { addOutOfService } from './add-out-of-service.ts'
import { addAddresses, addPrograms } from './add-programs.ts'
import { addClients, addPictures } from './add-clients.ts'
import { addFleet } from './add-fleet.ts'
import { addIssues } from './add-issues.ts'
import { addAdjustments } from './add-adjustments.ts'
import { addAdmin, addPeople } from './add-people.ts'
import { addRotation } from './add-rotation.ts'
import { addShifts } from './add-shifts.ts'
import { peopleWithLogin, DEMO_PASSWORD } from './people.ts'

export { addPast, type DemoPage } from './past.ts'
export { keepSimulating, simulateFleet, whileDemo } from './simulate.ts'

/** One login for each role, for the first page a newcomer reads. */
export const demoLogins = peopleWithLogin.map(({ email, role }) => ({
  role: roleLabel[role],
  email,
  password: DEMO_PASSWORD,
}))

/** Loads the demo fleet into a database without users; true when it did. */
export async function loadDemo(db: Db, blobs: BlobStore): Promise<boolean> {
  const hasUsers = async (db: Db) =>
    (await db.selectFrom('user_account').select('uid').limit(1).executeTakeFirst()) !== undefined
  if (await hasUsers(db)) return false
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const today = new Date().toISOString().slice(0, 10)
  return inTransaction(db, async (db) => {
    // Two nodes may start on the same empty database.
    await sql`select pg_advisory_xact_lock(hashtext('demo'))`.execute(db)
    if (await hasUsers(db)) return false
    const actor = await addAdmin(db, passwordHash)
    const scope: Scope = { rows: 'all', actor }
    const markets = await addFleet(db, actor.uid)
    const pictures = await addPictures(db, blobs, scope)
    const clients = await addClients(db, scope, pictures)
    await addPeople(db, { adminUid: actor.uid, passwordHash, clients, today })
    const programs = await addPrograms(db, actor.uid, { clients, markets, pictures, today })
    await addAddresses(db, actor.uid, programs)
    await addShifts(db, scope, today)
    await addRotation(db, actor.uid)
    await addOutOfService(db, actor.uid, today)
    await addBookedLines(db, today)
    await addOfferedLines(db)
    await addIssues(db, actor.uid)
    await addAdjustments(db, scope, today)
    await markDemo(db)
    return true
  })
}

/** Whether this database was filled by loadDemo, and no one has asked to empty it since. */
export const isDemo = isDemoLoaded
