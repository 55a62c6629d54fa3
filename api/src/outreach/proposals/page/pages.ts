import { API_BASE, PROPOSAL_PAGE, publicProposal } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import { preparedPage, type PreparedPage, type PublicPages } from '../../../platform/http/pages.ts'
import { expiredText } from '../accept.ts'
import { countProposalView, findByToken, type ReadableProposal } from '../queries.ts'
import type { FormState } from './form.ts'
import { closedProposalPage, type ProposalCompany, proposalPage } from './page.ts'

const isProposalPath = (pathname: string) => pathname.startsWith(PROPOSAL_PAGE)

export const NOT_AVAILABLE = 'This proposal is not available.'

const addressOf = (path: string, token: string) => `${API_BASE}/${path.replace('{token}', encodeURIComponent(token))}`

/** The page of a proposal that its token opens, as a client reads it. */
export function clientPage(
  company: ProposalCompany,
  token: string,
  proposal: ReadableProposal,
  form: FormState = { name: '', note: '' },
): string {
  const { document, sha256, acceptance } = proposal
  return proposalPage({
    ...company,
    document,
    sha256,
    acceptance,
    form,
    pictureUrl: (key) => addressOf(publicProposal.picture.path, token).replace('{key}', key),
    pdfUrl: addressOf(publicProposal.pdf.path, token),
  })
}

const closed = (company: ProposalCompany, status: number, sentence: string): PreparedPage => ({
  ...preparedPage(closedProposalPage(company, sentence)),
  status,
  isPrivate: true,
})

/** The pages of proposals. Whether one is open is asked in the database each time. */
export async function proposalPages({ db, env, entryHtml }: AppContext): Promise<PublicPages> {
  const shell = await entryHtml('proposal.html')
  if (shell === undefined) return { matches: isProposalPath, render: async () => undefined }
  const company: ProposalCompany = {
    shell,
    contactEmail: env.contactEmail,
    get brand() {
      return env.brandName
    },
  }
  return {
    matches: isProposalPath,
    async render(pathname, isOpened) {
      const token = pathname.slice(PROPOSAL_PAGE.length)
      const proposal = await findByToken(db, token)
      if (!proposal) return closed(company, 404, NOT_AVAILABLE)
      if (proposal.isExpired) return closed(company, 410, expiredText(proposal))
      if (isOpened) await countProposalView(db, proposal.uid)
      return { ...preparedPage(clientPage(company, token, proposal)), isPrivate: true }
    },
  }
}
