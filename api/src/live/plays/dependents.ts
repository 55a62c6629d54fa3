import { shiftsOf } from '../../catalog/in-use/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { DeletableRecord, DependentSource } from '../../platform/deletion/index.ts'
import { playsOfPrograms, playsOfShifts } from './totals.ts'

async function countPlays(db: Db, record: DeletableRecord): Promise<number> {
  if (record.kind === 'program') return (await playsOfPrograms(db, [record.uid])).get(record.uid) ?? 0
  const shifts = await playsOfShifts(db, await shiftsOf(db, record))
  return [...shifts.values()].reduce((sum, { count }) => sum + count, 0)
}

/** Plays of the program, or of the shifts of other records. */
export const playDependents: DependentSource = {
  kind: 'plays',
  count: countPlays,
  screen: ({ kind, uid }) =>
    kind === 'program' || kind === 'market' || kind === 'truck' || kind === 'shift'
      ? `/ad-log?${kind}=${uid}`
      : undefined,
}
