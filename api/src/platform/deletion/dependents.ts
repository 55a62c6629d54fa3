import { dependentKinds, dependentWords, type Dependent, needsConfirmation } from '@roadshow/contract'
import type { Db } from '../db/connection.ts'
import type { DeletableRecord, DependentSource } from '../dependent-source.ts'
import { AppError, joinNames } from '../runtime/app-error.ts'

/** Counts what hangs on a record. */
export async function countDependents(
  sources: readonly DependentSource[],
  db: Db,
  record: DeletableRecord,
): Promise<Dependent[]> {
  const found: Dependent[] = []
  for (const { kind, count, screen } of sources) {
    const hanging = (await count(db, record)) ?? 0
    if (hanging > 0) found.push({ kind, count: hanging, to: screen?.(record) ?? null })
  }
  return found.toSorted((one, other) => dependentKinds.indexOf(one.kind) - dependentKinds.indexOf(other.kind))
}

/** The plays, pay and published pages behind a record, in words; undefined without any. */
export function describePast(dependents: readonly Dependent[]): string | undefined {
  const past = dependents.filter(({ kind }) => needsConfirmation(kind))
  return past.length > 0 ? joinNames(past.map(dependentWords)) : undefined
}

/** Refuses an unconfirmed deletion of a record with a past. */
export function refuseUnconfirmed(dependents: readonly Dependent[]): void {
  const past = describePast(dependents)
  if (past)
    throw new AppError('deletionUnconfirmed', { text: `Behind this record: ${past}. Confirm to delete it anyway.` })
}
