import { formatDay, type ProposalDocument, proposalMailText } from '@roadshow/contract'
import { composeMail } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

interface ProposalMail {
  email: string
  /** The contact's name, or the address where no contact has it. */
  name: string
  /** What someone wrote, a paragraph after each empty line. */
  text: string | undefined
  url: string
  brand: string
  content: ProposalDocument
}

const paragraphsOf = (text: string) =>
  text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean)

/** The mail that brings a proposal to the client. */
export const proposalMail = ({ email, name, text, url, brand, content }: ProposalMail): Mail =>
  composeMail({ email, name, language: 'en' }, brand, {
    kind: 'proposal',
    subject: `${content.title}: a proposal from ${brand}`,
    paragraphs: [
      ...paragraphsOf(text || proposalMailText(content.client, content.program)),
      `You can read it, download it as a PDF and accept it through ${formatDay(content.validUntil)}.`,
    ],
    action: { label: 'Open the proposal', url },
    closing: ['Anyone who has this link can read and accept the proposal.'],
    footer: `${brand} sent this proposal to ${email}.`,
  })
