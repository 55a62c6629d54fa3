import { INVITATION_DAYS, INVITATION_MAIL } from '../../accounts/sign-in/index.ts'
import { composeMail, type MailWords } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

interface Invitation {
  email: string
  name: string
  /** The name of the user who added the account. */
  by: string
  link: string
}

interface InvitingServer {
  brandName: string
  publicUrl: string
  singleSignOn?: { name: string } | undefined
  isPasswordSignInOff?: boolean | undefined
}

/** How the invited user gets in: by choosing a password, by the identity provider, or by either. */
function waysIn(
  link: string,
  { publicUrl, singleSignOn, isPasswordSignInOff = false }: InvitingServer,
): Pick<MailWords, 'action' | 'second' | 'closing'> {
  const address = `${publicUrl}/login`
  if (isPasswordSignInOff) {
    return {
      action: { label: 'Sign in', url: address },
      closing: [`Sign in with ${singleSignOn?.name} and this email address.`],
    }
  }
  return {
    action: { label: 'Choose your password', url: link },
    second: singleSignOn && { label: `Or sign in with ${singleSignOn.name} and this email address`, url: address },
    closing: [
      `The link works once and expires in ${INVITATION_DAYS} days. After that, request a new one with “Forgot password?” on the sign-in page.`,
    ],
  }
}

export function invitationMail({ email, name, by, link }: Invitation, server: InvitingServer): Mail {
  const { brandName } = server
  return composeMail({ email, name }, brandName, {
    kind: INVITATION_MAIL,
    subject: `Your ${brandName} account`,
    paragraphs: [`${by} created a ${brandName} account for you.`],
    ...waysIn(link, server),
  })
}
