import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { refuseFields } from '../../runtime/app-error.ts'
import { type Db, prepared } from '../connection.ts'
import { type SqlFragment, includeIf } from './fragments.ts'
import type { Actor, Scope } from './scope.ts'

/** Form field to the uid of the record that it refers to. */
type FieldRefs = Record<string, string | null | undefined>

/** A value of a column: another record, which the writing statement itself locks. */
export class Reference {
  constructor(
    readonly uid: string,
    /** Locks the record with a uid, given as a value of the statement. */
    readonly lock: (scope: Scope, uid: unknown) => SqlFragment,
    readonly field: string,
    readonly noun: string,
    /** Locks several such records, and returns a message for each field whose record is missing. */
    readonly missing: (db: Db, scope: Scope, refs: FieldRefs) => Promise<FieldRefs>,
  ) {}
}

const notFound = (noun: string) => `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found.`

// Raised by must_be_there() in the database.
const MISSING_REFERENCE = 'RS404'

/** Refuses the form field whose record a statement did not find. */
export function explainMissingReference(error: unknown): void {
  if (!(error instanceof DatabaseError) || error.code !== MISSING_REFERENCE || !error.column) return
  refuseFields({ [error.column]: notFound(error.message) })
}

interface Referenced {
  table: string
  noun: string
  /** The condition for the rows that are an actor's own. */
  own: (actor: Actor) => SqlFragment
}

/**
 * Keeps references valid. Writing a reference locks the referenced row; deleting uses `removeUnless`, which locks first.
 * Either waits for the other, so that no reference to a deleted row is written.
 */
export function references({ table, noun, own }: Referenced) {
  const target = sql.table(table)
  const visible = (scope: Scope) =>
    sql`t.deleted_at is null${includeIf(scope.rows === 'own', () => sql` and ${own(scope.actor)}`)}`

  async function lockRows(db: Db, statement: SqlFragment): Promise<string[]> {
    // Outside a transaction a lock ends with its statement and protects nothing.
    if (!db.isTransaction) throw new Error(`A ${noun} is locked outside a transaction.`)
    const { rows } = await prepared(statement.$castTo<{ uid: string }>()).execute(db)
    return rows.map(({ uid }) => uid)
  }

  /**
   * Locks the referenced rows and returns a message for each field whose record is deleted, invisible or unknown.
   * References in `kept` existed before and may be deleted by now.
   */
  async function missingRefs(db: Db, scope: Scope, refs: FieldRefs, kept: readonly string[] = []) {
    const known = new Set(kept)
    const wanted = Object.entries(refs).filter((entry): entry is [string, string] => !!entry[1] && !known.has(entry[1]))
    if (wanted.length === 0) return {}
    const uids = [...new Set(wanted.map(([, uid]) => uid))]
    const statement = sql`
      select t.uid from ${target} t where t.uid = any(${uids}) and ${visible(scope)} order by t.uid for share of t`
    const found = new Set(await lockRows(db, statement))
    const missing = wanted.filter(([, uid]) => !found.has(uid))
    return Object.fromEntries(missing.map(([field]) => [field, notFound(noun)]))
  }

  return {
    missingRefs,

    /** A reference for a column of a row to write. It needs no transaction, unlike `requireRefs`. */
    ref: (field: string, uid: string | null): Reference | null =>
      uid === null
        ? null
        : new Reference(
            uid,
            (scope, uid) =>
              sql`select t.uid from ${target} t where t.uid = ${uid} and ${visible(scope)} for share of t`,
            field,
            noun,
            missingRefs,
          ),

    /** Locks the referenced rows until the transaction ends; refuses each field whose record is missing. */
    requireRefs: async (db: Db, scope: Scope, refs: FieldRefs, kept: readonly string[] = []): Promise<void> =>
      refuseFields(await missingRefs(db, scope, refs, kept)),

    /** Locks a row against new references until the transaction ends; rows that refer to it already can be written. */
    lockRow: async (db: Db, uid: string): Promise<void> =>
      void (await lockRows(db, sql`select uid from ${target} where uid = ${uid} for no key update`)),
  }
}
