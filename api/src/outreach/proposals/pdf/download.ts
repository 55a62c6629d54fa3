import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { truckPaint } from '@roadshow/contract'
import { convertPicture } from '../../../platform/decoding/pictures/pictures.ts'
import { sourceOf } from '../../../platform/decoding/task-file.ts'
import type { BlobStore } from '../../../platform/files/index.ts'
import { Download } from '../../../platform/http/download.ts'
import { exportFileName } from '../../../platform/spreadsheet/file-name.ts'
import { readPictures } from '../pictures.ts'
import type { ReadableProposal } from '../queries.ts'
import { proposalPdf } from './pdf.ts'

/** The PDF of a proposal. PDF does not support WebP, so its pictures become JPEG. */
export async function proposalDownload(blobs: BlobStore, proposal: ReadableProposal): Promise<Download> {
  const pictures = new Map<string, Buffer>()
  for (const [key, content] of await readPictures(blobs, proposal.document.artwork)) {
    const options = { background: truckPaint.off, jpeg: { quality: 80 } }
    pictures.set(key, (await convertPicture(sourceOf(content), options)).content)
  }
  const { number, program, sentAt } = proposal.document
  const name = exportFileName({ name: `proposal-${number}`, of: [program], days: [sentAt.slice(0, 10)] })
  const content = await buffer(proposalPdf(proposal, pictures))
  return new Download(`${name}.pdf`, 'application/pdf', Readable.from([content]), {
    headers: { 'cache-control': 'private, no-store' },
  })
}
