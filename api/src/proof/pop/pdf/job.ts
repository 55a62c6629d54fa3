import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { type PopDocument, popDocument } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/connection.ts'
import type { BlobStore } from '../../../platform/files/index.ts'
import { jobsWaiting } from '../../../platform/observability/metrics.ts'
import { defineJob } from '../../../platform/jobs/define-job.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { PDF_ATTEMPTS } from '../publication/versions.ts'
import { popPdf } from './pdf.ts'
import { pictureBlob } from '../../photos/index.ts'

interface Options {
  db: Db
  blobs: BlobStore
  /** The public address of the pages. */
  publicUrl: string
  log: (error: unknown) => void
  /** Ends the run between two PDFs. */
  timeUp?: AbortSignal
}

// A claim lasts this long times the square of its attempt: the wait after a failure, or until another node takes over
// from a node that is gone.
const CLAIM_MINUTES = 3

interface Claimed {
  program_uid: string
  number: number
  document: string
  sha256: string
}

/** Claims the version that has waited longest, so that no other node takes it. */
async function claimNext(db: Db): Promise<Claimed | undefined> {
  const { rows } = await sql<Claimed>`
    update pop_version v set pdf_claimed_at = now(), pdf_attempts = v.pdf_attempts + 1
      from (select program_uid, number from pop_version
             where pdf_blob is null and pdf_attempts < ${PDF_ATTEMPTS}
               and (pdf_claimed_at is null
                    or pdf_claimed_at < now() - make_interval(mins => ${CLAIM_MINUTES} * pdf_attempts * pdf_attempts))
             order by published_at, program_uid, number limit 1 for update skip locked) next
     where (v.program_uid, v.number) = (next.program_uid, next.number)
    returning v.program_uid, v.number, v.document, v.sha256`.execute(db)
  return rows[0]
}

/** Counts versions without a PDF; a partial index makes it cheap. */
async function countWaiting(db: Db): Promise<void> {
  const { waiting } = await db
    .selectFrom('pop_version')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('pdf_blob', 'is', null)
    .where('pdf_attempts', '<', PDF_ATTEMPTS)
    .executeTakeFirstOrThrow()
  jobsWaiting.set({ job: 'pdfs' }, waiting)
}

/** Changes a version, unless it has its PDF by now. */
const updateWaiting = (db: Db, { program_uid, number }: Claimed) =>
  db
    .updateTable('pop_version')
    .where('program_uid', '=', program_uid)
    .where('number', '=', number)
    .where('pdf_blob', 'is', null)

/** Undoes a claim, for a node that stops or has no file storage: the attempt does not count. */
const release = (db: Db, claimed: Claimed) =>
  updateWaiting(db, claimed)
    .set((eb) => ({ pdf_claimed_at: null, pdf_attempts: eb('pdf_attempts', '-', 1) }))
    .execute()

/** Makes and stores the PDF of a version, unless another node was first. */
async function makePdf({ db, blobs, publicUrl }: Options, claimed: Claimed, signal: AbortSignal): Promise<void> {
  const document: PopDocument = popDocument.parse(JSON.parse(claimed.document))
  const pdf = popPdf(document, {
    readPicture: async (key, size) => buffer(await blobs.read(pictureBlob(key, size))),
    sha256: claimed.sha256,
    link: `${publicUrl}/programs/${encodeURIComponent(document.popUrl)}`,
  })
  const cancel = () => void pdf.destroy(new Error('This node stops.'))
  signal.addEventListener('abort', cancel, { once: true })
  const content = await buffer(pdf).finally(() => signal.removeEventListener('abort', cancel))
  signal.throwIfAborted()
  const blob = `pop-pdf-${randomBytes(16).toString('hex')}`
  await blobs.write(blob, content, 'application/pdf')
  const sha256 = createHash('sha256').update(content).digest('hex')
  const { numUpdatedRows } = await updateWaiting(db, claimed)
    .set({ pdf_blob: blob, pdf_sha256: sha256, pdf_bytes: content.length })
    .executeTakeFirst()
  if (numUpdatedRows === 0n) await blobs.remove(blob)
}

/** Makes every PDF that is due, one after the other; a failure is logged and tried again later. */
export async function makePdfs(options: Options, signal: AbortSignal): Promise<void> {
  for (;;) {
    if (signal.aborted || options.timeUp?.aborted) return
    await countWaiting(options.db)
    const claimed = await claimNext(options.db)
    if (!claimed) return
    try {
      await makePdf(options, claimed, signal)
    } catch (error) {
      const isStorageAway = error instanceof AppError && error.code === 'unavailable'
      if (signal.aborted || isStorageAway) await release(options.db, claimed)
      if (isStorageAway) return
      if (!signal.aborted) options.log(error)
    }
  }
}

/** Makes the PDFs of published versions, as soon as one is published. */
export const makePdfsJob = defineJob('pdfs', ({ db, blobs, env: { publicUrl }, log, signal, timeUp }) =>
  makePdfs({ db, blobs, publicUrl, log, timeUp }, signal),
)
