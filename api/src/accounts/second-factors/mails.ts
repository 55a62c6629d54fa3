import type { Mail } from '../../platform/mail/mailer.ts'

interface Recipient {
  email: string
  name: string
}

const ADVICE = 'If you did not do this, change your password now and tell your administrator.'

const noticeMail = ({ email, name }: Recipient, subject: string, ...sentences: string[]): Mail => ({
  kind: 'second-factor',
  to: email,
  subject,
  text: [`Hello ${name},`, ...sentences].join('\n\n'),
})

export const factorAddedMail = (recipient: Recipient, brand: string, factor: string): Mail =>
  noticeMail(
    recipient,
    `A second factor was added to your ${brand} account`,
    `${factor} was just added to your ${brand} account. You can sign in with it from now on.`,
    ADVICE,
  )

export const factorRemovedMail = (recipient: Recipient, brand: string, factor: string): Mail =>
  noticeMail(
    recipient,
    `A second factor was removed from your ${brand} account`,
    `${factor} was just removed from your ${brand} account.`,
    ADVICE,
  )

export const recoveryCodesMail = (recipient: Recipient, brand: string): Mail =>
  noticeMail(
    recipient,
    `New recovery codes for your ${brand} account`,
    `New recovery codes were just created for your ${brand} account. Older ones no longer work.`,
    ADVICE,
  )

export const recoveryCodeUsedMail = (recipient: Recipient, brand: string, left: number): Mail =>
  noticeMail(
    recipient,
    `A recovery code of your ${brand} account was used`,
    `A recovery code was just used to confirm that it is you. ${left === 0 ? 'None is' : `${left} ${left === 1 ? 'is' : 'are'}`} left. You can create new ones under Sign-in & access.`,
    ADVICE,
  )

export const factorsResetMail = (recipient: Recipient, brand: string, by: string): Mail =>
  noticeMail(
    recipient,
    `The second factor of your ${brand} account was reset`,
    `${by} removed the passkeys, the authenticator app and the recovery codes of your ${brand} account. All your devices were signed out. Sign in with your password and set up a second factor again.`,
    'If you did not ask for this, tell your administrator.',
  )
