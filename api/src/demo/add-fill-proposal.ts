import { addDays, DEFAULT_ZONE, localDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { makeFillProposal } from '../planning/fill/index.ts'
import type { Db } from '../platform/db/connection.ts'
import { mondayAfter } from './close-pay-periods.ts'

/** Leaves a fill proposal for a dispatcher who has none: two weeks of the program that has the fewest shifts in them. */
export async function addFillProposal(db: Db, userUid: string, signal: AbortSignal): Promise<void> {
  const known = db.selectFrom('fill_proposal').select('uid').where('user_uid', '=', userUid)
  if (signal.aborted || (await known.executeTakeFirst())) return
  const from = mondayAfter(addDays(localDay(DEFAULT_ZONE), 1))
  const to = addDays(from, 11)
  const { rows } = await sql<{ programUid: string; marketUids: string[] }>`
    select p.uid as "programUid", array_agg(m.market_uid order by m.position) as "marketUids"
      from client_program p join program_market m on m.program_uid = p.uid
     where p.status = 'active' and p.deleted_at is null
       and p.starts_on <= ${from} and p.ends_on >= ${to}
       and coalesce(m.starts_on, p.starts_on) <= ${from} and coalesce(m.ends_on, p.ends_on) >= ${to}
     group by p.uid
     order by (select count(*) from shift s where s.program_uid = p.uid and s.deleted_at is null
                  and s.local_date between ${from} and ${to}), p.name
     limit 1`.execute(db)
  const [program] = rows
  if (!program) return
  const markets = program.marketUids.slice(0, 2).map((marketUid) => ({ marketUid, trucks: 1 }))
  const hours = { start: '10:00', end: '18:00', weekdays: [1, 2, 3, 4, 5] }
  await makeFillProposal(
    db,
    userUid,
    { programUid: program.programUid, markets, from, to, ...hours, relax: [] },
    signal,
  )
}
