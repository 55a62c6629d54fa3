import { CompiledQuery } from 'kysely'
import { DatabaseError } from 'pg'
import { refuseFields } from '../../runtime/app-error.ts'
import { type Db, prepared } from '../connection.ts'
import { type Piece, Values } from './pieces.ts'
import type { DB } from '../schema.ts'
import type { Actor, Scope } from './scope.ts'

/** Form field to the record that it names, where it names one. */
type Named = Record<string, string | null | undefined>

/** What a column of a record is to hold: another record, held by the very statement that writes its uid. */
export class Name {
  constructor(
    readonly held: (values: Values, scope: Scope) => string,
    readonly field: string,
    readonly noun: string,
  ) {}
}

// As the function must_be_there of the database says it.
const GONE = 'RS404'

/** What a statement answered that was to name a record which is gone. */
export function explainGone(error: unknown): void {
  if (!(error instanceof DatabaseError) || error.code !== GONE || !error.column) return
  refuseFields({ [error.column]: `There is no such ${error.message}.` })
}

interface Held {
  table: keyof DB
  /** What people call such a record. */
  noun: string
  /** Which rows are an actor's own. */
  own: (actor: Actor) => Piece
}

/**
 * What keeps records that refer to each other together. Who writes a reference holds the row that it names; who deletes
 * a row locks it before looking for references to it. Either waits for the other's transaction, so that neither a
 * reference to a deleted row is written nor a row deleted that has just got one.
 */
export function references({ table, noun, own }: Held) {
  async function locked(db: Db, text: string, values: unknown[]): Promise<string[]> {
    // Outside a transaction a lock ends with its statement, and protects nothing.
    if (!db.isTransaction) throw new Error(`A ${noun} is held or locked outside a transaction.`)
    const { rows } = await db.executeQuery<{ uid: string }>(CompiledQuery.raw(prepared(text), values))
    return rows.map(({ uid }) => uid)
  }

  /**
   * Holds what the fields name and gives a message for each field whose record is deleted, out of reach or never was.
   * What is `kept` was referred to before, and may be gone by now.
   */
  async function missingRefs(db: Db, scope: Scope, ref: Named, kept: readonly string[] = []) {
    const known = new Set(kept)
    const wanted = Object.entries(ref).filter((entry): entry is [string, string] => !!entry[1] && !known.has(entry[1]))
    if (wanted.length === 0) return {}
    const values = new Values()
    const uids = values.add([...new Set(wanted.map(([, uid]) => uid))])
    const reach = scope.rows === 'own' ? ` and ${values.bind(own(scope.actor))}` : ''
    const text = `select t.uid from ${table} t where t.uid = any(${uids}) and t.deleted_at is null${reach} order by t.uid for share of t`
    const found = new Set(await locked(db, text, values.list))
    const gone = wanted.filter(([, uid]) => !found.has(uid))
    return Object.fromEntries(gone.map(([field]) => [field, `There is no such ${noun}.`]))
  }

  return {
    missingRefs,

    /** The record that a field names, for the row that is to name it: needs no transaction, unlike `requireRefs`. */
    ref: (field: string, uid: string | null): Name | null =>
      uid === null
        ? null
        : new Name(
            (values, scope) => {
              const is = `t.uid = ${values.add(uid)}`
              const reach = scope.rows === 'own' ? ` and ${values.bind(own(scope.actor))}` : ''
              return `select t.uid from ${table} t where ${is} and t.deleted_at is null${reach} for share of t`
            },
            field,
            noun,
          ),

    /** Keeps what the fields name from being deleted until the transaction ends; refused at each whose record is gone. */
    requireRefs: async (db: Db, scope: Scope, named: Named, kept: readonly string[] = []): Promise<void> =>
      refuseFields(await missingRefs(db, scope, named, kept)),

    /** Keeps everybody from holding a row until the transaction ends; rows that merely name it, as their writer for one, may be written. */
    lockRow: async (db: Db, uid: string): Promise<void> =>
      void (await locked(db, `select uid from ${table} where uid = $1 for no key update`, [uid])),
  }
}
