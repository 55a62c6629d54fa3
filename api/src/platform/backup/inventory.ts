import type pg from 'pg'
import { hasTable } from '../db/with-client.ts'
import type { BackupTable, Manifest } from './format.ts'

/** Every table that holds rows, with the columns that are not computed from others. Parts come after their table. */
const TABLES = `
  select c.relname as name, p.relname as "partOf", pg_get_expr(c.relpartbound, c.oid) as bounds,
         array(select a.attname::text from pg_attribute a
                where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                order by a.attnum) as columns
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'kysely_migration_lock'
   order by p.relname nulls first, c.relname`

const SEQUENCES = `
  select sequencename as name, last_value::float8 as last from pg_sequences
   where schemaname = current_schema() order by sequencename`

export type ListedTable = Omit<BackupTable, 'rows'>

export const tablesOf = async (client: pg.Client): Promise<ListedTable[]> =>
  (await client.query<ListedTable>(TABLES)).rows

export const sequencesOf = async (client: pg.Client): Promise<Manifest['sequences']> =>
  (await client.query<Manifest['sequences'][number]>(SEQUENCES)).rows

/** The tables that are spread over the machines of a Citus cluster, or known to it, as SQL names them. */
export async function distributedTablesOf(client: pg.Client): Promise<string[]> {
  if (!(await hasTable(client, 'pg_dist_partition'))) return []
  const { rows: tables } = await client.query<{ name: string }>(`
    select logicalrelid::text as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where not c.relispartition order by 1`)
  return tables.map(({ name }) => name)
}

/** Whether there is anything at all in the schema. */
export async function isDatabaseEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`
    select not exists (
      select from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')) as is`)
  return rows[0]?.is ?? false
}

/**
 * The files that rows refer to, by their table: every kind that is stored. Schemas before 0017 do not tell which pictures
 * were removed, because none were.
 */
export const blobStatements: Readonly<Record<string, string>> = {
  // What uploads are kept as, and the pictures of videos.
  stored_file: `
    select blob_name as blob from stored_file where stored_at is not null
    union select thumbnail_blob from stored_file where stored_at is not null and thumbnail_blob is not null`,
  pop_photo: `
    select 'pop-' || key || '-' || size as blob from pop_photo t, unnest(array['small', 'medium', 'large']) size
     where to_jsonb(t) ->> 'pictures' is distinct from 'removed'`,
  pop_version_picture: `select 'pop-' || key || '-large' as blob from pop_version_picture`,
  pop_version: `select pdf_blob as blob from pop_version where pdf_blob is not null`,
  play_archive: `select blob from play_archive`,
  sales_proposal: `
    select 'proposal-' || (side.value ->> 'key') as blob
      from sales_proposal, jsonb_array_elements(document::jsonb -> 'artwork') artwork, jsonb_each(artwork) side
     where jsonb_typeof(side.value) = 'object'`,
  // Pictures of screens go after an hour; one that is overdue is shown to no one.
  device_command: `
    select 'screen-' || uid as blob from device_command
     where has_picture and picture_removed_at is null and asked_at > now() - interval '1 hour'`,
}

/** The names of the files that rows refer to, in order. Older schemas lack some of the tables. */
export async function blobsOf(client: pg.Client): Promise<string[]> {
  const found = new Set<string>()
  for (const [table, select] of Object.entries(blobStatements)) {
    if (!(await hasTable(client, table))) continue
    const { rows } = await client.query<{ blob: string }>(select)
    for (const { blob } of rows) found.add(blob)
  }
  return [...found].toSorted()
}
