import { INVITATION_DAYS } from '../../accounts/sign-in/index.ts'
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
function waysIn(link: string, { publicUrl, singleSignOn, isPasswordSignInOff = false }: InvitingServer): string[] {
  const address = `${publicUrl}/login`
  if (isPasswordSignInOff) return [`Sign in with ${singleSignOn?.name} and this email address here:`, address]
  return [
    'Choose your password here:',
    link,
    `The link works once and expires in ${INVITATION_DAYS} days. After that, request a new one at ${publicUrl}/forgot-password with this email address.`,
    ...(singleSignOn ? [`Or sign in with ${singleSignOn.name} and this email address at ${address}`] : []),
  ]
}

export function invitationMail({ email, name, by, link }: Invitation, server: InvitingServer): Mail {
  const [first = '', ...rest] = waysIn(link, server)
  const { brandName } = server
  return {
    kind: 'welcome',
    to: email,
    subject: `Your ${brandName} account`,
    text: [`Hello ${name},`, `${by} created a ${brandName} account for you. ${first}`, ...rest].join('\n\n'),
  }
}
