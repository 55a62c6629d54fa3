import type { Mail } from '../../platform/mail/mailer.ts'

interface To {
  email: string
  name: string
}

export const passwordResetMail = ({ email, name }: To, brand: string, link: string): Mail => ({
  kind: 'forgot-password',
  to: email,
  subject: `Set a new password for ${brand}`,
  text: [
    `Hello ${name},`,
    `somebody, hopefully you, asked for a new password for your ${brand} account. Set it here:`,
    link,
    'The link works once and for 30 minutes. If you did not ask for it, you can ignore this mail: nothing has changed.',
  ].join('\n\n'),
})

export const passwordChangedMail = ({ email, name }: To, brand: string): Mail => ({
  kind: 'password-changed',
  to: email,
  subject: `Your ${brand} password was changed`,
  text: [
    `Hello ${name},`,
    `the password of your ${brand} account was just changed, and every open session was signed out.`,
    'If this was not you, ask for a new password at once and tell your administrator.',
  ].join('\n\n'),
})
