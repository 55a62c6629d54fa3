import { composeMail, type MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

/** The kinds of mails whose links can end before they are sent. */
export const RESET_MAIL = 'forgot-password'
export const INVITATION_MAIL = 'welcome'
export const CONFIRMATION_MAIL = 'confirm-single-sign-on'

export const passwordResetMail = (recipient: MailRecipient, brand: string, url: string): Mail =>
  composeMail(recipient, brand, {
    kind: RESET_MAIL,
    subject: `Reset your ${brand} password`,
    paragraphs: [`We received a request to reset the password of your ${brand} account.`],
    action: { label: 'Choose a new password', url },
    closing: [
      'The link works once and expires 30 minutes after this mail was sent.',
      'If you did not request this, you can ignore this mail. Your password has not changed.',
    ],
  })

interface ChangedPassword {
  brand: string
  /** Where a new password can be requested. */
  url: string
}

export const passwordChangedMail = (recipient: MailRecipient, { brand, url }: ChangedPassword): Mail =>
  composeMail(recipient, brand, {
    kind: 'password-changed',
    subject: `Your ${brand} password was changed`,
    paragraphs: [
      `The password of your ${brand} account was changed, and all devices were signed out.`,
      'If you did not change it, reset your password now and tell your administrator.',
    ],
    action: { label: 'Reset password', url },
  })

interface ProviderMail {
  brand: string
  /** What people call the identity provider. */
  provider: string
}

export const confirmSignInMail = (
  recipient: MailRecipient,
  { brand, provider }: ProviderMail,
  { link, minutes }: { link: string; minutes: number },
): Mail =>
  composeMail(recipient, brand, {
    kind: CONFIRMATION_MAIL,
    subject: `Confirm your sign-in to ${brand}`,
    paragraphs: [
      `Someone signed in with ${provider} as ${recipient.email} and wants to open your ${brand} account with it.`,
      'If this was you, confirm it in the same browser.',
    ],
    action: { label: 'Confirm sign-in', url: link },
    closing: [
      `The link works once and expires ${minutes} minutes after this mail was sent.`,
      'If this was not you, do not open the link and tell your administrator. Nothing has changed.',
    ],
  })

export const signInLinkedMail = (recipient: MailRecipient, { brand, provider }: ProviderMail): Mail =>
  composeMail(recipient, brand, {
    kind: 'single-sign-on-linked',
    subject: `A new way to sign in to ${brand}`,
    paragraphs: [
      `From now on, signing in with ${provider} opens your ${brand} account.`,
      'If this was not you, tell your administrator at once.',
    ],
  })
