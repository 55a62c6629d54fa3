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
