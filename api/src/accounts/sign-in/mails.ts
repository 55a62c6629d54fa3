import { composeMail, type MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { accountMailWords } from '../mail-words/index.ts'
import { RESET_MINUTES } from './password-links.ts'

/** The kinds of mails whose links can end before they are sent. */
export const RESET_MAIL = 'forgot-password'
export const INVITATION_MAIL = 'welcome'
export const CONFIRMATION_MAIL = 'confirm-single-sign-on'

export function passwordResetMail(recipient: MailRecipient, brand: string, url: string): Mail {
  const words = accountMailWords[recipient.language]
  return composeMail(recipient, brand, {
    kind: RESET_MAIL,
    subject: words.resetSubject(brand),
    paragraphs: [words.resetText(brand)],
    action: { label: words.resetAction, url },
    closing: [words.resetExpires(RESET_MINUTES), words.resetNotYou],
  })
}

interface ChangedPassword {
  brand: string
  /** Where a new password can be requested. */
  url: string
}

export function passwordChangedMail(recipient: MailRecipient, { brand, url }: ChangedPassword): Mail {
  const words = accountMailWords[recipient.language]
  return composeMail(recipient, brand, {
    kind: 'password-changed',
    subject: words.changedSubject(brand),
    paragraphs: [words.changedText(brand), words.changedNotYou],
    action: { label: words.changedAction, url },
  })
}

interface ProviderMail {
  brand: string
  /** What people call the identity provider. */
  provider: string
}

export function confirmSignInMail(
  recipient: MailRecipient,
  { brand, provider }: ProviderMail,
  { link, minutes }: { link: string; minutes: number },
): Mail {
  const words = accountMailWords[recipient.language]
  return composeMail(recipient, brand, {
    kind: CONFIRMATION_MAIL,
    subject: words.confirmSubject(brand),
    paragraphs: [words.confirmText(provider, recipient.email, brand), words.confirmIfYou],
    action: { label: words.confirmAction, url: link },
    closing: [words.confirmExpires(minutes), words.confirmNotYou],
  })
}

export function signInLinkedMail(recipient: MailRecipient, { brand, provider }: ProviderMail): Mail {
  const words = accountMailWords[recipient.language]
  return composeMail(recipient, brand, {
    kind: 'single-sign-on-linked',
    subject: words.linkedSubject(brand),
    paragraphs: [words.linkedText(provider, brand), words.linkedNotYou],
  })
}
