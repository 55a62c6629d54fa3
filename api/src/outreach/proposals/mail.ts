import { formatDay, type ProposalDocument } from '@roadshow/contract'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

interface ProposalMail {
  email: string
  url: string
  brand: string
  content: ProposalDocument
}

/** The mail that brings a proposal to the client. */
export const proposalMail = ({ email, url, brand, content }: ProposalMail): Mail =>
  composeMail({ email, name: email, language: 'en' }, brand, {
    kind: 'proposal',
    subject: `${content.title}: a proposal from ${brand}`,
    paragraphs: [
      `Here is what we propose for ${content.client}: ${content.program}.`,
      `You can read it, download it as a PDF and accept it through ${formatDay(content.validUntil)}.`,
    ],
    action: { label: 'Open the proposal', url },
    closing: ['Anyone who has this link can read and accept the proposal.'],
    footer: `${brand} sent this proposal to ${email}.`,
  })
