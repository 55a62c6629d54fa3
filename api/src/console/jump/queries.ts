import { type JumpKind, JUMPS_PER_KIND, type JumpTarget } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import type { DB } from '../../platform/db/schema.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { clientText } from '../../catalog/clients/index.ts'
import { pixelMapText } from '../../catalog/pixel-maps/index.ts'
import { programText } from '../../catalog/programs/index.ts'
import { truckText } from '../../catalog/trucks/index.ts'
import { userText } from '../../catalog/users/index.ts'
import { likePattern } from '../../platform/db/records/fragments.ts'
import { noOwnRows } from '../../platform/db/records/records.ts'
import { searchText, type SearchText } from '../../platform/db/records/search-text.ts'

interface Source {
  table: keyof DB
  text: SearchText
  /** Where more than the table is needed, which has the alias `t`. */
  from?: RawBuilder<unknown>
  name: RawBuilder<string>
  detail: RawBuilder<string>
  /** Which rows are an actor's own. */
  own: (actor: Actor) => RawBuilder<unknown>
}

const sources: Record<Exclude<JumpKind, 'shift'>, Source> = {
  truck: { table: 'truck', text: truckText, name: sql`t.number`, detail: sql`t.plate`, own: noOwnRows },
  client: {
    table: 'client',
    text: clientText,
    name: sql`t.name`,
    detail: sql`''`,
    own: ({ clientUid }) => sql`t.uid = ${clientUid}`,
  },
  program: {
    table: 'client_program',
    text: programText,
    from: sql`client_program t join client c on c.uid = t.client_uid`,
    name: sql`t.name`,
    detail: sql`c.name`,
    own: ({ clientUid }) => sql`t.client_uid = ${clientUid}`,
  },
  market: { table: 'market', text: searchText(), name: sql`t.name`, detail: sql`t.state`, own: () => sql`true` },
  user: { table: 'user_account', text: userText, name: sql`t.name`, detail: sql`t.email::text`, own: noOwnRows },
  pixelMap: {
    table: 'pixel_map',
    text: pixelMapText,
    name: sql`t.name`,
    detail: sql`t.width || ' × ' || t.height`,
    own: () => sql`true`,
  },
}

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** The best of one kind: names that begin with what was typed, then those that hold it, then what matches otherwise. */
export async function findJumpTargets(
  db: Db,
  scope: Scope,
  kind: Exclude<JumpKind, 'shift'>,
  search: string,
): Promise<JumpTarget[]> {
  const { table, text, from = sql`${sql.table(table)} t`, name, detail, own } = sources[kind]
  const words = search.split(/\s+/).filter(Boolean)
  const conditions = [
    sql`t.deleted_at is null`,
    ...(scope.rows === 'own' ? [own(scope.actor)] : []),
    ...words.map((word) => sql`${text(scope.actor, 't')} like lower(${likePattern(word)})`),
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
