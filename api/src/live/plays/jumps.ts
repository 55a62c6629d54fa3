import type { adLog, BodyOf, JumpAnswer } from '@roadshow/contract'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { addHistoryEntries } from '../../platform/history/entries.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

/** A jump of the counter of a player. */
interface OpenJump {
  truckUid: string
  truck: string
  from: number
  to: number
  /** How many jumps of the truck's players are open, this one included. */
  all: number
}

/** The newest open jump of each truck. */
export async function openJumps(db: Db): Promise<OpenJump[]> {
  const { rows } = await sql<OpenJump>`
    select distinct on (d.truck_uid) d.truck_uid as "truckUid", t.number as truck, g.first as "from", g.next - 1 as "to",
           count(*) over (partition by d.truck_uid)::int as "all"
      from play_gap g join device d on d.uid = g.device_uid join truck t on t.uid = d.truck_uid
     where g.is_jump order by d.truck_uid, g.next desc`.execute(db)
  return rows
}

type Answer = BodyOf<typeof adLog.answerJump>

/** What was decided on the numbers of a jump so far; they must be those of a jump. */
async function lockJump(db: Db, uid: string, { from, to }: Answer): Promise<JumpAnswer | 'open'> {
  const numbers = sql`int8range(${from}::int8, ${Math.max(from, to)}::int8, '[]')`
  const { rows } = await sql<{ answer: JumpAnswer | 'open' | null }>`
    select case when ${numbers} <@ q.lost then 'missing' when ${numbers} <@ q.skipped then 'set'
                when exists (select from unnest(open_jumps(q)) j where j = ${numbers}) then 'open' end as answer
      from play_sequence q where q.device_uid = ${uid} for update`.execute(db)
  const [found] = rows
  if (!found) throw new AppError('notFound')
  if (!found.answer) throw new AppError('staleVersion', { text: 'This jump is no longer open. Reload the list.' })
  return found.answer
}

/** Keeps what a person decided on a jump: its numbers are missing, or no play ever had them. The history of the device has it. */
export const answerJump = (db: Db, { actor }: Scope, uid: string, body: Answer): Promise<{ uid: string }> =>
  inTransaction(db, async (db) => {
    const { from, to, answer } = body
    const before = await lockJump(db, uid, body)
    if (before === answer) return { uid }
    const numbers = sql`int8multirange(int8range(${from}::int8, ${to}::int8, '[]'))`
    const [skipped, lost] = answer === 'set' ? [sql`+`, sql`-`] : [sql`-`, sql`+`]
    await db
      .updateTable('play_sequence')
      .set({ skipped: sql`skipped ${skipped} ${numbers}`, lost: sql`lost ${lost} ${numbers}` })
      .where('device_uid', '=', uid)
      .execute()
    await addHistoryEntries(db, [
      {
        table: 'device',
        recordUid: uid,
        actorUid: actor.uid,
        keyUid: actor.key?.uid ?? null,
        address: actor.address,
        changes: {
          counter_jump: [
            { from, to, answer: before },
            { from, to, answer },
          ],
        },
      },
    ])
    return { uid }
  })
