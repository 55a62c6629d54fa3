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
 * The files that rows refer to: what uploads are kept as, the sizes of photos, published pictures, PDFs. Schemas before
 * 0017 do not tell which pictures were removed, because none were.
 */
const BLOBS = `
  select blob_name as blob from stored_file where stored_at is not null
  union select thumbnail_blob from stored_file where stored_at is not null and thumbnail_blob is not null
  union select 'pop-' || key || '-' || size from pop_photo t, unnest(array['small', 'medium', 'large']) size
         where to_jsonb(t) ->> 'pictures' is distinct from 'removed'
  union select 'pop-' || key || '-large' from pop_version_picture
  union select pdf_blob from pop_version where pdf_blob is not null
  order by 1`

const ARCHIVED = 'select blob from play_archive order by 1'

export async function blobsOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ blob: string }>(BLOBS)
  // Schemas before 0026 have no archive.
  const hasArchive = await hasTable(client, 'play_archive')
  const archived = hasArchive ? (await client.query<{ blob: string }>(ARCHIVED)).rows : []
  return [...rows, ...archived].map(({ blob }) => blob)
}
