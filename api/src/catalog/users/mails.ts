import type { Mail } from '../../platform/mail/mailer.ts'

interface Invitation {
  email: string
  name: string
  /** Who added the user. */
  by: string
  link: string
}

/** How long the link in the mail works. Later, the user asks for another as for any forgotten password. */
export const INVITATION_DAYS = 7

export const invitationMail = ({ email, name, by, link }: Invitation, brand: string, publicUrl: string): Mail => ({
  kind: 'welcome',
  to: email,
  subject: `Your ${brand} account`,
  text: [
    `Hello ${name},`,
    `${by} has made a ${brand} account for you. Choose your password here:`,
    link,
    `The link works once and for ${INVITATION_DAYS} days. After that, ask for a new one at ${publicUrl}/forgot-password with this email address.`,
  ].join('\n\n'),
})
