import { isPopName, type PopDocument, type PopFigures } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { type BlobStore, sendBlob } from '../../../platform/files/index.ts'
import type { Download } from '../../../platform/http/download.ts'
import { pictureBlob, type PictureSize } from '../../photos/index.ts'
import { documentDownload, pdfDownload } from '../publication/version-files.ts'

/**
 * Columns of the public version `v` under a name; every public read goes through here. Undefined for an unknown name,
 * and for a program that is unpublished, withdrawn, past its last day or deleted.
 */
async function selectShown<T extends object>(
  db: Db,
  popUrl: string,
  columns: RawBuilder<unknown>,
): Promise<T | undefined> {
  if (!isPopName(popUrl)) return undefined
  const { rows } = await sql<T>`
    select ${columns} from client_program p join pop o on o.uid = p.uid
      join pop_version v on v.program_uid = o.uid and v.number = o.shown_version
     where lower(p.pop_url) = lower(${popUrl}) and p.deleted_at is null
       and (o.ends_on is null or o.ends_on >= current_date)`.execute(db)
  return rows[0]
}

/** As `selectShown`, but not found is an error, the same one for every reason. */
async function requireShown<T extends object>(db: Db, popUrl: string, columns: RawBuilder<unknown>): Promise<T> {
  const found = await selectShown<T>(db, popUrl, columns)
  if (!found) throw new AppError('notFound')
  return found
}

interface ShownVersion {
  programUid: string
  number: number
  sha256: string
  /** The reduced document that the page starts with, as text. */
  opening: string
}

/** The public version under a name. */
export const shownVersion = (db: Db, popUrl: string): Promise<ShownVersion | undefined> =>
  selectShown<ShownVersion>(db, popUrl, sql`v.program_uid as "programUid", v.number, v.sha256, v.opening`)

/** Counts a view of a page, in a table of its own so that readers do not lock rows of the program. */
export const countView = (db: Db, programUid: string) =>
  sql`insert into pop_view as w (program_uid, day, views) values (${programUid}, current_date, 1)
      on conflict (program_uid, day) do update set views = w.views + 1`.execute(db)

type OpeningFigures = Pick<PopDocument, 'figures' | 'chapters'>

async function loadOpening(db: Db, popUrl: string): Promise<OpeningFigures> {
  const { opening } = await requireShown<{ opening: string }>(db, popUrl, sql`v.opening`)
  return JSON.parse(opening) as OpeningFigures
}

export const publicFigures = async (db: Db, popUrl: string): Promise<PopFigures> =>
  (await loadOpening(db, popUrl)).figures

/** The figures of each public market, or of the one with this name. */
export async function publicMarketFigures(db: Db, popUrl: string, market: string | undefined) {
  const { chapters } = await loadOpening(db, popUrl)
  const isWanted = (name: string) => market === undefined || name.toLowerCase() === market.toLowerCase()
  return chapters.filter(({ name }) => isWanted(name)).map(({ name, figures }) => ({ market: name, ...figures }))
}

/** The stored document; a reader that has it already, by its hash, gets no body. */
export async function publicDocument(db: Db, popUrl: string, known: string | undefined): Promise<Download> {
  const hash = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(known ?? '')?.[1] ?? null
  const found = await requireShown<{ number: number; sha256: string; document: string | null }>(
    db,
    popUrl,
    sql`v.number, v.sha256, case when v.sha256 is distinct from ${hash}::text then v.document end as document`,
  )
  return documentDownload(popUrl, found)
}

const YEAR_SECONDS = 365 * 24 * 3600

interface Picture {
  popUrl: string
  key: string
  size: PictureSize
}

/** A picture of the public version; any other is not found. */
export async function publicPicture(
  db: Db,
  blobs: BlobStore,
  { popUrl, key, size }: Picture,
  range: string | undefined,
) {
  const { type } = await requireShown<{ type: string | null }>(
    db,
    popUrl,
    sql`(select g.content_type from pop_version_picture g
          where g.program_uid = v.program_uid and g.number = v.number and g.key = ${key}) as type`,
  )
  if (type === null) throw new AppError('notFound')
  return sendBlob(blobs, pictureBlob(key, size), {
    name: `${key}.${type.replace('image/', '')}`,
    type,
    range,
    cacheSeconds: YEAR_SECONDS,
    cache: 'public',
  })
}

export async function publicPdf(
  db: Db,
  blobs: BlobStore,
  popUrl: string,
  range: string | undefined,
): Promise<Download> {
  const found = await requireShown<Parameters<typeof pdfDownload>[2]>(
    db,
    popUrl,
    sql`v.number, v.pdf_blob, v.pdf_bytes, v.pdf_attempts`,
  )
  return pdfDownload(blobs, popUrl, found, range)
}
