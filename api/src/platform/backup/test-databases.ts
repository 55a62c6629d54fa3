import { randomUUID } from 'node:crypto'
import { withClient } from '../db/with-client.ts'

/** An empty database on the same server. */
export async function emptyDatabase(beside: string): Promise<string> {
  const name = `restored_${randomUUID().replaceAll('-', '')}`
  await withClient(beside, (client) => client.query(`create database ${name} template template0`))
  return Object.assign(new URL(beside), { pathname: name }).href
}

/** What a restore changes, so that nothing is sent twice. */
const HELD_BACK = ['message', 'outbound_event']
const withoutState = `(to_jsonb(t) - '{state,done_at,problem,leased_until,failed_at}'::text[])::text`

/** Every table with the hash of its rows in order, and every sequence with where it goes on. */
export const contentOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(`
      select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
         and relname <> 'kysely_migration_lock' order by 1`)
    const content: Record<string, unknown> = {}
    for (const { name } of tables) {
      const row = HELD_BACK.includes(name) ? withoutState : 't::text'
      const { rows } = await client.query<{ content: string }>(`
        select count(*) || ' ' || md5(coalesce(string_agg(${row}, E'\\n' order by ${row}), '')) as content
          from "${name}" t`)
      content[name] = rows[0]?.content
    }
    const { rows: sequences } = await client.query(`
      select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`)
    return { content, sequences }
  })
