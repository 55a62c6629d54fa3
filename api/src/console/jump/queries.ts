import { type JumpKind, JUMPS_PER_KIND, type JumpTarget } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { searchedBy } from '../../platform/db/records/staff-only.ts'

interface Source {
  table: keyof DB
  /** Where more than the table is needed, which has the alias `t`. */
  from?: RawBuilder<unknown>
  name: RawBuilder<string>
  detail: RawBuilder<string>
  /** Which rows are an actor's own. */
  own: (actor: Actor) => RawBuilder<boolean>
}

const nobodys = () => sql<boolean>`false`

const sources: Record<JumpKind, Source> = {
  truck: { table: 'truck', name: sql`t.number`, detail: sql`t.plate`, own: nobodys },
  client: {
    table: 'client',
    name: sql`t.name`,
    detail: sql`''`,
    own: ({ clientUid }) => sql`t.uid = ${clientUid}`,
  },
  program: {
    table: 'client_program',
    from: sql`client_program t join client c on c.uid = t.client_uid`,
    name: sql`t.name`,
    detail: sql`c.name`,
    own: ({ clientUid }) => sql`t.client_uid = ${clientUid}`,
  },
  user: { table: 'user_account', name: sql`t.name`, detail: sql`t.email::text`, own: nobodys },
  pixelMap: {
    table: 'pixel_map',
    name: sql`t.name`,
    detail: sql`t.width || ' × ' || t.height`,
    own: () => sql`true`,
  },
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The best of one kind: names that begin with what was typed, then those that hold it, then what matches otherwise. */
export async function findJumpTargets(db: Db, scope: Scope, kind: JumpKind, search: string): Promise<JumpTarget[]> {
  const { table, from = sql`${sql.table(table)} t`, name, detail, own } = sources[kind]
  const text = sql.raw(searchedBy(scope.actor)(table, 't'))
  const words = search.split(/\s+/).filter(Boolean)
  const conditions = [
    sql`t.deleted_at is null`,
    ...(scope.rows === 'own' ? [own(scope.actor)] : []),
    ...words.map((word) => sql`${text} like lower(${`%${escaped(word)}%`})`),
  ]
  const typed = escaped(words.join(' '))
  const { rows } = await sql<JumpTarget>`
    select ${kind}::text as kind, t.uid, ${name} as name, ${detail} as detail
      from ${from}
     where ${sql.join(conditions, sql` and `)}
     order by case when lower(${name}) like lower(${`${typed}%`}) then 0
                   when lower(${name}) like lower(${`%${typed}%`}) then 1
                   else 2 end,
              ${name}, t.uid
     limit ${sql.lit(JUMPS_PER_KIND)}`.execute(db)
  return rows
}
