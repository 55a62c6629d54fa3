import { composeMail, type MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { type AccountMailWords, accountMailWords, type FactorName } from '../mail-words/index.ts'

export type { FactorName } from '../mail-words/index.ts'

/** A mail about second factors: the subject, what happened, and what to do if it was someone else. */
type Composition = (words: AccountMailWords) => [subject: string, text: string, notYou?: string]

function factorMail(recipient: MailRecipient, brand: string, compose: Composition): Mail {
  const words = accountMailWords[recipient.language]
  const [subject, text, notYou = words.factorNotYou] = compose(words)
  return composeMail(recipient, brand, { kind: 'second-factor', subject, paragraphs: [text, notYou] })
}

export const factorAddedMail = (recipient: MailRecipient, brand: string, factor: FactorName): Mail =>
  factorMail(recipient, brand, (words) => [words.factorAddedSubject(brand), words.factorAddedText(factor, brand)])

export const factorRemovedMail = (recipient: MailRecipient, brand: string, factor: FactorName): Mail =>
  factorMail(recipient, brand, (words) => [words.factorRemovedSubject(brand), words.factorRemovedText(factor, brand)])

export const recoveryCodesMail = (recipient: MailRecipient, brand: string): Mail =>
  factorMail(recipient, brand, (words) => [words.codesSubject(brand), words.codesText(brand)])

export const recoveryCodeUsedMail = (recipient: MailRecipient, brand: string, left: number): Mail =>
  factorMail(recipient, brand, (words) => [words.codeUsedSubject(brand), words.codeUsedText(left)])

export const factorsResetMail = (recipient: MailRecipient, brand: string, by: string): Mail =>
  factorMail(recipient, brand, (words) => {
    return [words.factorsResetSubject(brand), words.factorsResetText(by, brand), words.factorsResetNotYou]
  })
