import { accountMailWords } from '../../accounts/mail-words/index.ts'
import { INVITATION_DAYS, INVITATION_MAIL } from '../../accounts/sign-in/index.ts'
import { composeMail, type MailRecipient, type MailWords } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

interface Invitation extends MailRecipient {
  /** The name of the user who added the account. */
  by: string
  link: string
}

export interface InvitingServer {
  brandName: string
  publicUrl: string
  singleSignOn?: { name: string } | undefined
  isPasswordSignInOff?: boolean | undefined
}

/** How the invited user gets in: by choosing a password, by the identity provider, or by either. */
function waysIn(
  { link, language }: Pick<Invitation, 'link' | 'language'>,
  { publicUrl, singleSignOn, isPasswordSignInOff = false }: InvitingServer,
): Pick<MailWords, 'action' | 'second' | 'closing'> {
  const address = `${publicUrl}/login`
  const words = accountMailWords[language]
  if (isPasswordSignInOff) {
    return {
      action: { label: words.invitationSignIn, url: address },
      closing: [words.invitationProviderOnly(singleSignOn?.name ?? '')],
    }
  }
  return {
    action: { label: words.invitationAction, url: link },
    second: singleSignOn && { label: words.invitationProviderToo(singleSignOn.name), url: address },
    closing: [words.invitationExpires(INVITATION_DAYS)],
  }
}

export function invitationMail(invitation: Invitation, server: InvitingServer): Mail {
  const { email, name, language, by } = invitation
  const { brandName } = server
  const words = accountMailWords[language]
  return composeMail({ email, name, language }, brandName, {
    kind: INVITATION_MAIL,
    subject: words.invitationSubject(brandName),
    paragraphs: [words.invitationText(by, brandName)],
    ...waysIn(invitation, server),
  })
}
