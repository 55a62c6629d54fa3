import { sql } from 'kysely'
import { type Db, inTransaction } from '../platform/db/connection.ts'
import { uidsByName } from './add-fleet.ts'
import { insertPrograms } from './add-programs.ts'
import type { RunningProgram } from './add-shifts.ts'
import type { DemoProgram } from './programs.ts'
import { formerPrograms } from './years-plan.ts'

const uidsOf = async (db: Db, table: 'client' | 'market') =>
  uidsByName(await db.selectFrom(table).select(['uid', 'name']).execute())

/** Adds the completed programs of the years before the recorded weeks, once; answers where and when each ran. */
export const addFormerPrograms = (db: Db, changed_by: string, recordedFrom: string): Promise<RunningProgram[]> =>
  inTransaction(db, async (db) => {
    const planned = formerPrograms(recordedFrom)
    const urls = planned.map(({ popUrl }) => popUrl)
    const known = db.selectFrom('client_program').select('uid').where('pop_url', 'in', urls).limit(1)
    if (!(await known.executeTakeFirst())) await addWithArtwork(db, changed_by, planned)
    return loadRuns(db, urls)
  })

async function addWithArtwork(db: Db, changed_by: string, planned: readonly DemoProgram[]): Promise<void> {
  const [clients, markets] = [await uidsOf(db, 'client'), await uidsOf(db, 'market')]
  const uids = await insertPrograms(db, changed_by, { clients, markets, planned })
  // Each client drives with the artwork of its newer programs.
  await sql`
    insert into artwork_set (program_uid, name, status, driver_side_artwork_uid, passenger_side_artwork_uid, rear_artwork_uid,
                             approved_hash, approved_by, approved_at, changed_by)
    select f.uid, f.name || ' – main', a.status, a.driver_side_artwork_uid, a.passenger_side_artwork_uid, a.rear_artwork_uid,
           a.approved_hash, a.approved_by, a.approved_at, ${changed_by}::uuid
      from client_program f
     cross join lateral (
       select a.* from artwork_set a join client_program p on p.uid = a.program_uid
        where p.client_uid = f.client_uid and a.status = 'approved' order by p.pop_url, a.name limit 1) a
     where f.uid = any(${[...uids.values()]}::uuid[])`.execute(db)
}

async function loadRuns(db: Db, urls: readonly string[]): Promise<RunningProgram[]> {
  const { rows } = await sql<RunningProgram>`
    select p.uid as "programUid", m.market_uid as "marketUid", p.starts_on as "from", p.ends_on as "to",
           (select uid from artwork_set a where a.program_uid = p.uid limit 1) as "artworkSetUid"
      from client_program p join program_market m on m.program_uid = p.uid
     where p.pop_url = any(${urls}) order by p.starts_on, p.pop_url, m.position`.execute(db)
  return rows
}
