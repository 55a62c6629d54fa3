import { type BodyOf, type Rotation, type rotations, toLoopLine } from '@roadshow/contract'
import { loopProblem } from '@roadshow/contract/planning/loop-capacity'
import { spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import { sql } from 'kysely'
import { programRecords } from '../../catalog/programs/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { loadRotations, readRotation } from './queries.ts'

type Input = BodyOf<typeof rotations.save>

/** Replaces the lines. What does not fit into an hour is refused and changes nothing. */
export const saveRotation = (db: Db, scope: Scope, programUid: string, { version, lines }: Input): Promise<Rotation> =>
  inTransaction(db, async (db) => {
    await programRecords.get(db, scope, programUid)
    // The row of the program comes first: it holds the version, tells players, and names the actor in the history.
    await programRecords.update(db, scope, programUid, version, {})
    await refuseForeignSets(db, programUid, lines)
    await replaceLines(db, programUid, lines)
    await refuseIfTooMuch(db, programUid)
    return readRotation(db, scope, programUid)
  })

async function refuseForeignSets(db: Db, programUid: string, lines: Input['lines']): Promise<void> {
  const { rows } = await sql<{ uid: string }>`
    select uid from artwork_set where program_uid = ${programUid} and deleted_at is null
       and uid = any(${lines.map(({ artworkSetUid }) => artworkSetUid)}::uuid[]) for share`.execute(db)
  const known = new Set(rows.map(({ uid }) => uid))
  refuseFields(
    Object.fromEntries(
      lines.flatMap(({ artworkSetUid }, index) =>
        known.has(artworkSetUid)
          ? []
          : [[`lines.${index}.artworkSetUid`, 'Artwork set not found. Choose another one.']],
      ),
    ),
  )
}

/** A line keeps its place, so that the history tells what changed. */
async function replaceLines(db: Db, programUid: string, lines: Input['lines']): Promise<void> {
  await sql`delete from rotation_line where program_uid = ${programUid} and position >= ${lines.length}`.execute(db)
  if (lines.length === 0) return
  const given = rowsAsTable(
    'n',
    lines.map((line, position) => ({ line, position })),
    {
      artwork_set_uid: ['uuid', ({ line }) => line.artworkSetUid],
      share: ['text', ({ line }) => line.share],
      amount: ['int4', ({ line }) => line.amount],
      from_time: ['text', ({ line }) => line.from],
      to_time: ['text', ({ line }) => line.to],
      weekdays: ['text', ({ line }) => `{${line.weekdays.toSorted((one, other) => one - other).join(',')}}`],
      position: ['int4', ({ position }) => position],
    },
  )
  await sql`
    insert into rotation_line (program_uid, artwork_set_uid, share, amount, from_time, to_time, weekdays, position)
    select ${programUid}, artwork_set_uid, share, amount, from_time::time, to_time::time, weekdays::smallint[], position
      from ${given}
        on conflict on constraint rotation_line_place do update
       set artwork_set_uid = excluded.artwork_set_uid, share = excluded.share, amount = excluded.amount,
           from_time = excluded.from_time, to_time = excluded.to_time, weekdays = excluded.weekdays`.execute(db)
}

async function refuseIfTooMuch(db: Db, programUid: string): Promise<void> {
  const lines = (await loadRotations(db, [programUid])).get(programUid) ?? []
  const [first] = lines
  if (!first) return
  const problem = loopProblem({
    lines: lines.map((line) => toLoopLine({ ...line, spotMs: spotLengthMs(line.programSpotMs, line) })),
    restMs: spotLengthMs(null, null),
    // Which hours of a week are full is the same in every zone.
    zone: 'UTC',
    seed: programUid,
  })
  if (problem) throw new AppError('badInput', { text: problem, fields: { lines: problem } })
}
