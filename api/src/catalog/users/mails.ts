import { INVITATION_DAYS } from '../../accounts/sign-in/index.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

interface Invitation {
  email: string
  name: string
  /** The name of the user who added the account. */
  by: string
  link: string
}

export const invitationMail = ({ email, name, by, link }: Invitation, brand: string, publicUrl: string): Mail => ({
  kind: 'welcome',
  to: email,
  subject: `Your ${brand} account`,
  text: [
    `Hello ${name},`,
    `${by} created a ${brand} account for you. Choose your password here:`,
    link,
    `The link works once and expires in ${INVITATION_DAYS} days. After that, request a new one at ${publicUrl}/forgot-password with this email address.`,
  ].join('\n\n'),
})
