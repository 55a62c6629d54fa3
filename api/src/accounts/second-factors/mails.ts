import { composeMail, type MailRecipient } from '../../platform/mail/compose.ts'
import type { Mail } from '../../platform/mail/mailer.ts'
import { accountMailWords, type FactorName } from '../mail-words/index.ts'

export type { FactorName } from '../mail-words/index.ts'

const factorMail = (recipient: MailRecipient, brand: string, subject: string, paragraphs: string[]): Mail =>
  composeMail(recipient, brand, { kind: 'second-factor', subject, paragraphs })

export function factorAddedMail(recipient: MailRecipient, brand: string, factor: FactorName): Mail {
  const words = accountMailWords[recipient.language]
  const paragraphs = [words.factorAddedText(factor, brand), words.factorNotYou]
  return factorMail(recipient, brand, words.factorAddedSubject(brand), paragraphs)
}

export function factorRemovedMail(recipient: MailRecipient, brand: string, factor: FactorName): Mail {
  const words = accountMailWords[recipient.language]
  const paragraphs = [words.factorRemovedText(factor, brand), words.factorNotYou]
  return factorMail(recipient, brand, words.factorRemovedSubject(brand), paragraphs)
}

export function recoveryCodesMail(recipient: MailRecipient, brand: string): Mail {
  const words = accountMailWords[recipient.language]
  return factorMail(recipient, brand, words.codesSubject(brand), [words.codesText(brand), words.factorNotYou])
}

export function recoveryCodeUsedMail(recipient: MailRecipient, brand: string, left: number): Mail {
  const words = accountMailWords[recipient.language]
  return factorMail(recipient, brand, words.codeUsedSubject(brand), [words.codeUsedText(left), words.factorNotYou])
}

export function factorsResetMail(recipient: MailRecipient, brand: string, by: string): Mail {
  const words = accountMailWords[recipient.language]
  const paragraphs = [words.factorsResetText(by, brand), words.factorsResetNotYou]
  return factorMail(recipient, brand, words.factorsResetSubject(brand), paragraphs)
}
