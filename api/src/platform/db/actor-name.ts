import { type RawBuilder, sql } from 'kysely'

/** How people read who did something: a user `u` by name, a call by API key `k` by the key and its maker. */
export const ACTOR_NAME: RawBuilder<string | null> = sql<string | null>`
  case when k.uid is null then u.name else concat('Key ‘', k.name, '’ (made by ', u.name, ')') end`
