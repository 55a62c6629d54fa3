import { findDay, isOutsider, JUMPS_PER_KIND, type JumpTarget } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allOf, likePattern, type SqlFragment } from '../../platform/db/records/fragments.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { today as officeDay } from '../../platform/http/fill-in.ts'
import { PLANNED_JOINS, shiftDeclaration } from '../../planning/shifts/index.ts'

/** Without a day, shifts further away than this are not looked for. */
const NEAR = sql`interval '60 days'`

const matches = (word: string, actor: Actor): SqlFragment => {
  const pattern = likePattern(word)
  return sql`(${shiftDeclaration.search(pattern, actor)}
    or t.market_uid in (select x.uid from market x where x.search_text like lower(${pattern})))`
}

const select = (actor: Actor, conditions: readonly SqlFragment[], order: SqlFragment) => sql`
  select 'shift'::text as kind, t.uid, tr.number as name, t.starts_at,
         ${isOutsider(actor) ? sql`p.name` : sql`d.name || ' · ' || p.name`} as detail,
         json_build_object('date', t.local_date, 'start', to_char(t.start_time, 'HH24:MI')) as begins
    from shift t ${PLANNED_JOINS}
   where ${allOf(conditions)} order by ${order} limit ${sql.lit(JUMPS_PER_KIND)}`

/** The shifts of a truck, driver, program, client or market, or with a word in their note: the nearest to now, or those of a day. */
export async function findShiftTargets(db: Db, scope: Scope, search: string, today?: string): Promise<JumpTarget[]> {
  const { words, day } = findDay(search, today ?? (await officeDay(db)))
  if (words.length === 0) return []
  const conditions = [
    sql`t.deleted_at is null`,
    ...(scope.rows === 'own' ? [shiftDeclaration.own(scope.actor)] : []),
    ...words.map((word) => matches(word, scope.actor)),
  ]
  const half = (when: SqlFragment, order: SqlFragment) => select(scope.actor, [...conditions, when], order)
  const near =
    day === undefined
      ? sql`(${half(sql`t.starts_at >= now() and t.starts_at < now() + ${NEAR}`, sql`t.starts_at`)})
            union all (${half(sql`t.starts_at < now() and t.starts_at > now() - ${NEAR}`, sql`t.starts_at desc`)})`
      : half(sql`t.local_date = ${day}`, sql`t.starts_at`)
  const { rows } = await sql<JumpTarget>`
    select kind, uid, name, detail, begins from (${near}) found
     order by abs(extract(epoch from starts_at - now())), uid limit ${sql.lit(JUMPS_PER_KIND)}`.execute(db)
  return rows
}
