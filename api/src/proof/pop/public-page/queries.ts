import { isPopName, type PopFigures } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { isPublicPop } from '../../../catalog/in-use/index.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { type BlobStore, sendBlob } from '../../../platform/files/index.ts'
import type { Download } from '../../../platform/http/download.ts'
import { methodDownload } from '../../impressions/index.ts'
import { pictureBlob, type PictureSize } from '../../photos/index.ts'
import type { PopOpening } from '../publication/opening.ts'
import { documentDownload, pdfDownload } from '../publication/version-files.ts'
import { hasPass, type ProtectedPage } from './page-pass.ts'

/** A request for a public page or one of its files. */
export interface PageRequest {
  popUrl: string
  /** Carries the pass for a page with a password. */
  visitor: Pick<FastifyRequest, 'headers'>
}

interface Shown extends Omit<ProtectedPage, 'passwordHash'> {
  /** Null for a page that anyone may open. */
  passwordHash: string | null
  isPrivate: boolean
}

/**
 * Columns of the public version `v` under a name; every public read goes through here. Undefined for an unknown name,
 * and for a program that is unpublished, withdrawn, past its last day or deleted.
 */
async function selectShown<T extends object>(
  db: Db,
  popUrl: string,
  columns: RawBuilder<unknown>,
): Promise<(T & Shown) | undefined> {
  if (!isPopName(popUrl)) return undefined
  const { rows } = await sql<T & Shown>`
    select v.program_uid as "programUid", w.hash as "passwordHash", w.hash is not null as "isPrivate", ${columns}
      from client_program p join pop o on o.uid = p.uid
      join pop_version v on v.program_uid = o.uid and v.number = o.shown_version
      left join pop_password w on w.program_uid = o.uid
     where lower(p.pop_url) = lower(${popUrl}) and p.deleted_at is null
       and ${isPublicPop}`.execute(db)
  return rows[0]
}

const isLockedFor = (visitor: PageRequest['visitor'], { programUid, passwordHash }: Shown): boolean =>
  passwordHash !== null && !hasPass(visitor, { programUid, passwordHash })

/** As `selectShown`, but not found is an error, the same one for every reason, and a page with a password needs a pass. */
async function requireShown<T extends object>(
  db: Db,
  { popUrl, visitor }: PageRequest,
  columns: RawBuilder<unknown>,
): Promise<T & Shown> {
  const found = await selectShown<T>(db, popUrl, columns)
  if (!found) throw new AppError('notFound')
  if (isLockedFor(visitor, found)) throw new AppError('pageLocked')
  return found
}

/** The page under a name with its password; undefined if there is no such page, or it asks for none. */
export async function protectedPage(db: Db, popUrl: string): Promise<ProtectedPage | undefined> {
  const found = await selectShown(db, popUrl, sql`v.number`)
  if (!found || found.passwordHash === null) return undefined
  return { programUid: found.programUid, passwordHash: found.passwordHash }
}

interface ShownVersion {
  number: number
  sha256: string
  /** The reduced document that the page starts with, as text. */
  opening: string
}

/** The public version under a name. */
export async function shownVersion(db: Db, { popUrl, visitor }: PageRequest) {
  const found = await selectShown<ShownVersion>(db, popUrl, sql`v.number, v.sha256, v.opening`)
  return found && { ...found, isLocked: isLockedFor(visitor, found) }
}

/** Counts a view of a page, in a table of its own so that readers do not lock rows of the program. */
export const countView = (db: Db, programUid: string) =>
  db
    .insertInto('pop_view')
    .values({ program_uid: programUid, day: sql`current_date`, views: 1 })
    .onConflict((conflict) =>
      conflict.columns(['program_uid', 'day']).doUpdateSet((eb) => ({ views: eb('pop_view.views', '+', 1) })),
    )
    .execute()

async function loadOpening(db: Db, page: PageRequest): Promise<PopOpening> {
  const { opening } = await requireShown<{ opening: string }>(db, page, sql`v.opening`)
  return JSON.parse(opening) as PopOpening
}

export const publicFigures = async (db: Db, page: PageRequest): Promise<PopFigures> =>
  (await loadOpening(db, page)).figures

/** The figures of each public market, or of the one with this name. */
export async function publicMarketFigures(db: Db, page: PageRequest, market: string | undefined) {
  const { chapters } = await loadOpening(db, page)
  const isWanted = (name: string) => market === undefined || name.toLowerCase() === market.toLowerCase()
  return chapters.filter(({ name }) => isWanted(name)).map(({ name, figures }) => ({ market: name, ...figures }))
}

/** The stored document; a reader that has it already, by its hash, gets no body. */
export async function publicDocument(db: Db, page: PageRequest): Promise<Download> {
  const known = page.visitor.headers['if-none-match']
  const hash = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(known ?? '')?.[1] ?? null
  const found = await requireShown<{ number: number; sha256: string; document: string | null }>(
    db,
    page,
    sql`v.number, v.sha256, case when v.sha256 is distinct from ${hash}::text then v.document end as document`,
  )
  return documentDownload(page.popUrl, found)
}

// Long enough for one look at the page. It can be withdrawn, end or get a password at any time, and then no shared cache
// may have a copy.
const PICTURE_SECONDS = 10 * 60

interface Picture {
  key: string
  size: PictureSize
}

/** A picture of the public version; any other is not found. */
export async function publicPicture(db: Db, blobs: BlobStore, page: PageRequest, { key, size }: Picture) {
  const { type } = await requireShown<{ type: string | null }>(
    db,
    page,
    sql`(select g.content_type from pop_version_picture g
          where g.program_uid = v.program_uid and g.number = v.number and g.key = ${key}) as type`,
  )
  if (type === null) throw new AppError('notFound')
  return sendBlob(blobs, pictureBlob(key, size), {
    name: `${key}.${type.replace('image/', '')}`,
    type,
    range: page.visitor.headers.range,
    cacheSeconds: PICTURE_SECONDS,
  })
}

/** The opening of the public version if it has this number, for the picture of link previews. */
export async function openingOfVersion(db: Db, page: PageRequest, number: number) {
  const found = await requireShown<{ number: number; opening: string }>(db, page, sql`v.number, v.opening`)
  if (found.number !== number) throw new AppError('notFound')
  return found
}

export async function publicPdf(db: Db, blobs: BlobStore, page: PageRequest): Promise<Download> {
  const found = await requireShown<Parameters<typeof pdfDownload>[2]>(
    db,
    page,
    sql`v.number, v.pdf_blob, v.pdf_bytes, v.pdf_attempts`,
  )
  return pdfDownload(blobs, page.popUrl, found, page.visitor.headers.range)
}

/** A version of the method that the public version names; any other is not found. */
export async function publicMethod(db: Db, page: PageRequest, version: number): Promise<Download> {
  const { impressions } = await loadOpening(db, page)
  if (!impressions?.methods.some((method) => method.version === version)) throw new AppError('notFound')
  return methodDownload(db, version, 'json')
}
