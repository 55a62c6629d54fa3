import { formatDay, salesProposals } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { withoutScripts } from '../../proof/pop/index.ts'
import { proposalPage } from './page/page.ts'
import { proposalDownload } from './pdf/download.ts'
import { readPictures } from './pictures.ts'
import { endProposal, type ReadableProposal, requireProposal, requireReadable } from './queries.ts'
import { draftProposal, listProposals, sendProposal } from './send.ts'

/** Proposals of programs, for staff. */
export async function proposalRoutes(app: App, { env, entryHtml }: AppContext): Promise<void> {
  const { audit } = app.kernel
  const { publicUrl, contactEmail } = env
  const shell = withoutScripts((await entryHtml('proposal.html')) ?? '<!--PROPOSAL_BODY-->')

  /** The page as it is looked at in the console: its pictures are part of it, and nothing can be accepted. */
  const lookedAt = (
    shown: Pick<ReadableProposal, 'document' | 'sha256' | 'acceptance'>,
    pictures: ReadonlyMap<string, Buffer>,
  ) =>
    proposalPage({
      ...shown,
      shell,
      brand: env.brandName,
      contactEmail,
      pictureUrl: (key) => `data:image/webp;base64,${pictures.get(key)?.toString('base64') ?? ''}`,
      pdfUrl: undefined,
      form: undefined,
    })

  serve(app, salesProposals.list, async ({ db, scope, params: { uid } }) => ({
    data: await listProposals(db, scope, uid),
  }))

  serve(app, salesProposals.preview, async ({ db, scope, params: { uid }, body }) => {
    const { document, drawn } = await draftProposal(
      { db, scope, blobs: app.blobs, brand: env.brandName, publicUrl },
      uid,
      body,
    )
    const html = lookedAt({ document, sha256: '', acceptance: null }, drawn.contents)
    return { data: { html } }
  })

  serve(app, salesProposals.create, async ({ db, scope, params: { uid }, body, request }) => {
    const sent = await sendProposal({ db, scope, blobs: app.blobs, brand: env.brandName, publicUrl }, uid, body)
    const { path, proposal, subject } = sent
    const mailed = body.sendTo.length > 0 ? ` · emailed to ${body.sendTo.join(', ')}` : ''
    const detail = `valid through ${formatDay(proposal.validUntil)} · SHA-256 ${proposal.sha256}${mailed}`
    await audit(request, { kind: 'proposalSent', actorUid: scope.actor.uid, subject, detail })
    return { data: { url: `${publicUrl}${path}`, proposal: { ...proposal, isOutdated: false } } }
  })

  serve(app, salesProposals.page, async ({ db, params: { uid } }) => {
    const { proposal } = await requireProposal(db, uid)
    const found = await requireReadable(db, uid)
    const pictures = await readPictures(app.blobs, found.document.artwork)
    const html = lookedAt(found, pictures)
    return { data: { proposal, html } }
  })

  serve(app, salesProposals.pdf, async ({ db, params: { uid } }) =>
    proposalDownload(app.blobs, await requireReadable(db, uid)),
  )

  serve(app, salesProposals.end, async ({ db, scope, params: { uid }, request }) => {
    const { proposal, isEnded, subject } = await endProposal(db, scope, uid)
    if (isEnded) await audit(request, { kind: 'proposalEnded', actorUid: scope.actor.uid, subject })
    return { data: proposal }
  })
}
