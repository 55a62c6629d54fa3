import {
  type DependentKind,
  dependentKinds,
  dependentWords,
  type Dependent,
  needsConfirmation,
  type RecordKindName,
} from '@roadshow/contract'
import type { Db } from '../db/connection.ts'
import { AppError, joinNames } from '../runtime/app-error.ts'

/** What one module knows to hang on records of other kinds. */
export interface DependentSource {
  kind: DependentKind
  /** How many hang on a record; undefined for kinds of records that have none. */
  count: (db: Db, record: DeletableRecord) => Promise<number> | undefined
  /** The screen that lists them; undefined where there is none. */
  screen?: (record: DeletableRecord) => string | undefined
}

export interface DeletableRecord {
  kind: RecordKindName
  uid: string
}

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
