import { composeMail, type MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'

const ADVICE = 'If you did not do this, change your password now and tell your administrator.'

const noticeMail = (recipient: MailRecipient, brand: string, subject: string, paragraphs: string[]): Mail =>
  composeMail(recipient, brand, { kind: 'second-factor', subject, paragraphs })

export const factorAddedMail = (recipient: MailRecipient, brand: string, factor: string): Mail =>
  noticeMail(recipient, brand, `A second factor was added to your ${brand} account`, [
    `${factor} was added to your ${brand} account. You can sign in with it from now on.`,
    ADVICE,
  ])

export const factorRemovedMail = (recipient: MailRecipient, brand: string, factor: string): Mail =>
  noticeMail(recipient, brand, `A second factor was removed from your ${brand} account`, [
    `${factor} was removed from your ${brand} account.`,
    ADVICE,
  ])

export const recoveryCodesMail = (recipient: MailRecipient, brand: string): Mail =>
  noticeMail(recipient, brand, `New recovery codes for your ${brand} account`, [
    `New recovery codes were created for your ${brand} account. Older ones no longer work.`,
    ADVICE,
  ])

const codesLeftText = (left: number) => (left === 0 ? 'None is left.' : `${left} ${left === 1 ? 'is' : 'are'} left.`)

export const recoveryCodeUsedMail = (recipient: MailRecipient, brand: string, left: number): Mail =>
  noticeMail(recipient, brand, `A recovery code of your ${brand} account was used`, [
    `A recovery code was used to confirm that it is you. ${codesLeftText(left)} You can create new ones under Sign-in & access.`,
    ADVICE,
  ])

export const factorsResetMail = (recipient: MailRecipient, brand: string, by: string): Mail =>
  noticeMail(recipient, brand, `The second factor of your ${brand} account was reset`, [
    `${by} removed the passkeys, the authenticator app and the recovery codes of your ${brand} account. All your devices were signed out. Sign in with your password and set up a second factor again.`,
    'If you did not ask for this, tell your administrator.',
  ])
