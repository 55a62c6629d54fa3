import type { PopVersion } from '@roadshow/contract'
import { sql } from 'kysely'
import { isPublicPop } from '../../../catalog/in-use/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'

/** Making a version's PDF is given up after this many attempts. */
export const PDF_ATTEMPTS = 5

export const newestVersion = (db: Db, uid: string) =>
  db
    .selectFrom('pop_version')
    .select(['number', 'document'])
    .where('program_uid', '=', uid)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The published versions of a program, newest first, or the one of this number. */
export async function listVersions(db: Db, uid: string, number?: number): Promise<PopVersion[]> {
  const { rows } = await sql<PopVersion>`
    select v.number, v.published_at as "publishedAt", u.name as "publishedBy", v.note, v.changes, v.sha256,
           v.number is not distinct from o.shown_version as "isShown",
           case when v.pdf_blob is not null then 'ready' when v.pdf_attempts >= ${PDF_ATTEMPTS} then 'failed'
                else 'waiting' end as pdf
      from pop_version v join pop o on o.uid = v.program_uid left join user_account u on u.uid = v.published_by
     where v.program_uid = ${uid} and v.number = coalesce(${number ?? null}::int, v.number)
     order by v.number desc`.execute(db)
  return rows
}

/** The public version of a program; undefined while none is public. */
export const publicVersion = (db: Db, uid: string) =>
  db
    .selectFrom('client_program as p')
    .innerJoin('pop as o', 'o.uid', 'p.uid')
    .innerJoin('pop_version as v', (join) =>
      join.onRef('v.program_uid', '=', 'o.uid').onRef('v.number', '=', 'o.shown_version'),
    )
    .select(['p.pop_url as popUrl', 'v.number', 'v.sha256', 'v.document'])
    .where('p.uid', '=', uid)
    .where('p.deleted_at', 'is', null)
    .where(isPublicPop)
    .executeTakeFirst()

/** A version's document and PDF. */
export async function loadVersion(db: Db, uid: string, number: number) {
  const found = await db
    .selectFrom('pop_version')
    .select(['number', 'document', 'sha256', 'pdf_blob', 'pdf_bytes', 'pdf_attempts'])
    .where('program_uid', '=', uid)
    .where('number', '=', number)
    .executeTakeFirst()
  if (!found) throw new AppError('notFound')
  return found
}
