import { PROPOSAL_PAGE, publicProposal } from '@roadshow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../../../platform/context.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { sendBlob } from '../../../platform/files/index.ts'
import type { App } from '../../../platform/http/app.ts'
import { acceptForms } from '../../../platform/http/form-bodies.ts'
import { serve } from '../../../platform/http/serve.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { acceptProposalPage, typedAcceptance } from '../accept.ts'
import { proposalDownload } from '../pdf/download.ts'
import { pictureKeys, proposalBlob } from '../pictures.ts'
import { findByToken, type ReadableProposal } from '../queries.ts'
import { closedProposalPage, type ProposalCompany } from './page.ts'
import { clientPage, NOT_AVAILABLE } from './pages.ts'

// Long enough for one look at the page; a copy outlives the link no longer.
const PICTURE_SECONDS = 10 * 60

const [BEFORE_TOKEN = ''] = publicProposal.pdf.path.split('{token}')

/** The address of a call or a page without the token that makes it private. */
export const hideProposalToken = (url: string): string =>
  url.replace(new RegExp(`^(${PROPOSAL_PAGE}|.*/${BEFORE_TOKEN})[^/?#]+`), '$1…')

async function requireOpen(db: Db, token: string): Promise<ReadableProposal> {
  const proposal = await findByToken(db, token)
  if (!proposal || proposal.isExpired) throw new AppError('notFound')
  return proposal
}

/** Public calls of proposals. */
export function publicProposalRoutes(app: App): void {
  serve(app, publicProposal.picture, async ({ db, params: { token, key }, request }) => {
    const { document } = await requireOpen(db, token)
    if (!pictureKeys(document.artwork).includes(key)) throw new AppError('notFound')
    return sendBlob(app.blobs, proposalBlob(key), {
      name: `${key}.webp`,
      type: 'image/webp',
      range: request.headers.range,
      cacheSeconds: PICTURE_SECONDS,
    })
  })

  serve(app, publicProposal.pdf, async ({ db, params: { token } }) =>
    proposalDownload(app.blobs, await requireOpen(db, token)),
  )
}

const sendHtml = (reply: FastifyReply, status: number, page: string) =>
  reply
    .code(status)
    .header('cache-control', 'private, no-store')
    .header('x-robots-tag', 'noindex')
    .type('text/html; charset=utf-8')
    .send(page)

/** Takes the acceptance of a proposal from the form of its page, which works without a script. */
export async function acceptRoutes(app: App, { db, env, entryHtml }: AppContext): Promise<void> {
  const shell = (await entryHtml('proposal.html')) ?? ''
  const company: ProposalCompany = {
    shell,
    contactEmail: env.contactEmail,
    get brand() {
      return env.brandName
    },
  }

  async function answer(request: FastifyRequest, reply: FastifyReply) {
    const { token = '' } = request.params as { token?: string }
    const find = () => findByToken(db, token)
    const proposal = await find()
    if (!proposal) return sendHtml(reply, 404, closedProposalPage(company, NOT_AVAILABLE))
    const result = await acceptProposalPage(db, proposal, request.body, find)
    if (result.isAccepted) {
      return reply
        .code(303)
        .header('cache-control', 'private, no-store')
        .header('location', `${PROPOSAL_PAGE}${encodeURIComponent(token)}`)
        .send()
    }
    const { status, problem, field } = result
    if (status !== 400) return sendHtml(reply, status, closedProposalPage(company, problem))
    const form = { ...typedAcceptance(request.body), problem, field }
    return sendHtml(reply, status, clientPage(company, token, proposal, form))
  }

  await app.register(async (inner) => {
    acceptForms(inner)
    inner.post(`${PROPOSAL_PAGE}:token`, { bodyLimit: 16_384 }, answer)
  })
}
