import type { Mail } from '../../platform/mail/mailer.ts'

interface Recipient {
  email: string
  name: string
}

export const passwordResetMail = ({ email, name }: Recipient, brand: string, link: string): Mail => ({
  kind: 'forgot-password',
  to: email,
  subject: `Reset your ${brand} password`,
  text: [
    `Hello ${name},`,
    `We received a request to reset the password of your ${brand} account. Choose a new password here:`,
    link,
    'The link works once and expires in 30 minutes. If you did not request this, you can ignore this email. Your password has not changed.',
  ].join('\n\n'),
})

export const passwordChangedMail = ({ email, name }: Recipient, brand: string): Mail => ({
  kind: 'password-changed',
  to: email,
  subject: `Your ${brand} password was changed`,
  text: [
    `Hello ${name},`,
    `The password of your ${brand} account was just changed, and all devices were signed out.`,
    'If you did not change it, reset your password now and tell your administrator.',
  ].join('\n\n'),
})

interface ProviderMail {
  brand: string
  /** What people call the identity provider. */
  provider: string
}

export const confirmSignInMail = (
  { email, name }: Recipient,
  { brand, provider }: ProviderMail,
  { link, minutes }: { link: string; minutes: number },
): Mail => ({
  kind: 'confirm-single-sign-on',
  to: email,
  subject: `Confirm your sign-in to ${brand}`,
  text: [
    `Hello ${name},`,
    `Someone signed in with ${provider} as ${email} and wants to open your ${brand} account with it. If this was you, confirm it here, in the same browser:`,
    link,
    `The link works once and expires in ${minutes} minutes. If this was not you, do not open the link and tell your administrator. Nothing has changed.`,
  ].join('\n\n'),
})

export const signInLinkedMail = ({ email, name }: Recipient, { brand, provider }: ProviderMail): Mail => ({
  kind: 'single-sign-on-linked',
  to: email,
  subject: `A new way to sign in to ${brand}`,
  text: [
    `Hello ${name},`,
    `From now on, signing in with ${provider} opens your ${brand} account. It was confirmed just now.`,
    'If this was not you, tell your administrator at once.',
  ].join('\n\n'),
})
