import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connection.ts'

const UID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const isUid = (text: string) => new RegExp(`^${UID.source}$`).test(text)

/** A text with what is written in it in other letters: cursors and tokens hold ids as bytes. */
function unwrapped(text: string): string {
  const percent = text.replaceAll(/(%[0-9a-f]{2})+/gi, (written) => {
    try {
      return decodeURIComponent(written)
    } catch {
      return written
    }
  })
  const tokens = (text.match(/[\w+/-]{20,}/g) ?? []).map((token) => Buffer.from(token, 'base64url'))
  return [text, percent, ...tokens.flatMap((bytes) => [bytes.toString('hex'), bytes.toString('latin1')])]
    .join('\n')
    .toLowerCase()
}

const formsOf = (secret: string) => {
  const lower = secret.toLowerCase()
  return isUid(lower) ? [lower, lower.replaceAll('-', '')] : [lower]
}

async function loadSecrets(db: Db, reader: string): Promise<string[]> {
  const { rows } = await sql<{ secret: string }>`
    select distinct unnest(array[uid::text, email] || case when role = 'client' then '{}' else array[name, phone, payroll_id] end)
             as secret
      from user_account where uid <> ${reader}`.execute(db)
  return rows.map(({ secret }) => secret).filter(Boolean)
}

/** The table of each record. */
async function loadTables(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ table: string }>`
    select table_name as "table" from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'uid' and data_type = 'uuid' and table_type = 'BASE TABLE'`.execute(
    db,
  )
  const tables = new Map<string, string>()
  for (const { table } of rows) {
    const found = await sql<{ uid: string }>`select uid from ${sql.table(table)}`.execute(db)
    for (const { uid } of found.rows) tables.set(uid, table)
  }
  return tables
}

/** Finds accounts other than the reader's in texts: uids, names and addresses, in any nesting. */
export async function findIdentities(db: Db, reader: string) {
  const forms = (await loadSecrets(db, reader)).map((secret) => [secret, formsOf(secret)] as const)
  const tables = await loadTables(db)
  tables.delete(reader)
  return {
    /** The uids, names, addresses and numbers that stand in a text. */
    namedIn(text: string): string[] {
      const whole = unwrapped(text)
      return forms.filter(([, each]) => each.some((form) => whole.includes(form))).map(([secret]) => secret)
    },
    /** The tables whose records a text names by uid. */
    tablesIn: (text: string): string[] => [
      ...new Set((text.toLowerCase().match(UID) ?? []).flatMap((uid) => tables.get(uid) ?? [])),
    ],
  }
}
