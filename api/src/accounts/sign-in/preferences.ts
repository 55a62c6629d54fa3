import { type BodyOf, defaultSettings, type preferences, type UserPreferences } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'

/** The clock of the company, which a person may replace by their own. */
const companyClock = sql<UserPreferences['companyClock']>`
  case when coalesce((select value from setting where key = 'is24HourClock')::boolean, ${sql.lit(defaultSettings.is24HourClock)})
       then '24h' else '12h' end`

/** How a user reads times, lists and the menu. */
export async function preferencesOf(db: Db, userUid: string): Promise<UserPreferences> {
  const { rows } = await sql<UserPreferences>`
    select p.clock, ${companyClock} as "companyClock", coalesce(p.rows_per_page, '10') as "rowsPerPage",
           coalesce(p.columns, '{}') as columns, coalesce(p.menu_pinned, false) as "menuPinned"
    from (select ${userUid}::uuid as uid) u left join user_preference p on p.user_uid = u.uid`.execute(db)
  const [found] = rows
  if (!found) throw new Error('A statement without conditions found nothing.')
  return found
}

/** Saves what is given, and answers what holds now. */
export async function savePreferences(
  db: Db,
  userUid: string,
  { clock, rowsPerPage, columns = {}, menuPinned }: BodyOf<typeof preferences.save>,
): Promise<UserPreferences> {
  const chosen = {
    clock,
    rows_per_page: rowsPerPage,
    ...(menuPinned !== undefined && { menu_pinned: menuPinned }),
  }
  const changed = sql<string>`jsonb_strip_nulls(${JSON.stringify(columns)}::jsonb)`
  await db
    .insertInto('user_preference')
    .values({ user_uid: userUid, ...chosen, columns: changed })
    .onConflict((conflict) =>
      conflict.column('user_uid').doUpdateSet({
        ...chosen,
        columns: sql`jsonb_strip_nulls(user_preference.columns || ${JSON.stringify(columns)}::jsonb)`,
      }),
    )
    .execute()
  return preferencesOf(db, userUid)
}
